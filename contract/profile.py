"""What an agent may do in a runtime profile: an entry of manifests/profiles.yaml."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from contract.event import Name

#: The narrow profile, which a user gets by default. memory_workspaces has the same default.
DEFAULT_PROFILE: Final = "user-memory-prod"
#: Hermes's tool for its own memory, and the name of its toolset.
MEMORY_TOOL: Final = "memory"
Risk = Literal["read", "write", "run", "outward"]


class _DeclaredProfile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AllowedTool(_DeclaredProfile):
    """A Hermes toolset or a tool of the brain's MCP server, with the worst it could do."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    risk: Risk


class Toolset(AllowedTool):
    """``tools``: those of the set that the model is offered. The set's others cost tokens and are not needed."""

    tools: Annotated[tuple[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")], ...], Field(min_length=1)]


class Profile(_DeclaredProfile):
    """``max_turns`` bounds an agent's tool rounds, ``timeout_s`` one agent run in seconds."""

    name: Name
    about: str
    enabled: bool
    local_brain: Literal["local mode only", "never"]
    hermes_toolsets: tuple[Toolset, ...]
    brain_tools: tuple[AllowedTool, ...]
    subagents: tuple[str, ...] = ()
    #: Whether its agents have a memory of their own (Hermes's MEMORY.md and USER.md).
    agent_memory: bool = False
    network: Literal["model gateway only"]
    max_turns: Annotated[int, Field(ge=1, le=500)]
    timeout_s: Annotated[int, Field(ge=10, le=7200)]
    strict_evidence: bool
    #: Where the user's standing rules hold: in all that is told, or also in what an agent is given to read.
    rules_hold: Literal["output", "input and output"]

    @model_validator(mode="after")
    def _stays_inside(self) -> Self:
        tools = (*self.hermes_toolsets, *self.brain_tools)
        if outward := [tool.name for tool in tools if tool.risk == "outward"]:
            raise ValueError(f"profile {self.name}: tools that act outside the workspace are not allowed: {outward}")
        if self.name.endswith("-prod") and any(tool.risk == "run" for tool in tools):
            raise ValueError(f"profile {self.name}: a customer profile must not have a tool that runs code")
        if self.agent_memory and self.name.endswith("-prod"):
            raise ValueError(f"profile {self.name}: agents of a customer profile have no memory of their own")
        if self.rules_hold == "input and output" and any(tool.risk == "write" for tool in self.brain_tools):
            # The pages that it would write to are not those that it sees.
            raise ValueError(f"profile {self.name}: with rules that hold for input, no brain tool may write")
        return self

    @property
    def toolsets(self) -> tuple[str, ...]:
        """Names for Hermes's --toolsets."""
        return tuple(tool.name for tool in self.hermes_toolsets)

    @property
    def hermes_tool_names(self) -> tuple[str, ...]:
        names = tuple(name for toolset in self.hermes_toolsets for name in toolset.tools)
        return (*names, MEMORY_TOOL) if self.agent_memory else names

    @property
    def brain_tool_names(self) -> tuple[str, ...]:
        return tuple(tool.name for tool in self.brain_tools)
