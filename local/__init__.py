"""The embedded stack: the cloud's services and the product's own processes, on one machine."""

import os

# Starting a process with ``preexec_fn`` forks, and gRPC's handlers of a fork wait for its other threads. Such a thread
# may wait for the interpreter's lock, which the forking thread holds: both then wait for ever. Children of the stack
# run other programs, so they need none of these handlers. gRPC reads this once, when it is first imported.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
