"""The bearer token of requests to the bucket: one thread renews it, within a deadline, and the others share the result.

google-auth renews in each thread that notices an old token, and sets no time limit for its own requests: eight threads
made eight token exchanges, and a token server that took connections without answering held all of them for good.
"""

from __future__ import annotations

from typing import Final

import urllib3
from google.auth.credentials import AnonymousCredentials, Credentials, TokenState
from google.auth.exceptions import GoogleAuthError, RefreshError
from google.auth.transport.urllib3 import Request

from service.singleflight import SingleFlight

#: Seconds for a connection to a token server, and between two parts of its response.
CONNECT_S: Final = 5.0
READ_S: Final = 10.0
#: How long a thread waits for another thread's renewal. google-auth repeats some requests.
RENEWAL_S: Final = 30.0


class Bearer:
    """Adds the token of ``credentials`` to requests. Thread-safe."""

    def __init__(self, credentials: Credentials, *, connect_s: float = CONNECT_S, read_s: float = READ_S) -> None:
        self.credentials = credentials
        # Connections of its own: those to the bucket may take longer to answer.
        timeout = urllib3.Timeout(connect=connect_s, read=read_s)
        self._request = Request(urllib3.PoolManager(maxsize=1, retries=False, timeout=timeout))
        self._renewal: SingleFlight[None] = SingleFlight()

    def add(self, method: str, url: str, headers: dict[str, str]) -> None:
        """Add the authorization header, with a new token if the kept one has expired or soon will.

        Raises GoogleAuthError.
        """
        if isinstance(self.credentials, AnonymousCredentials) or self._renewed():
            self.credentials.before_request(self._request, method, url, headers)
        else:
            self.credentials.apply(headers)

    def _renewed(self) -> bool:
        """Whether the token is new enough; False: it expires soon, and no new one can be had yet. Raises as ``add``."""
        state = self.credentials.token_state
        if state is TokenState.FRESH:
            return True
        try:
            self._renewal.do(self._renew, RENEWAL_S if state is TokenState.INVALID else 0.0)
        except TimeoutError:
            if state is TokenState.INVALID:
                raise RefreshError(f"no token within {RENEWAL_S:.0f} s") from None
        except GoogleAuthError:
            if state is TokenState.INVALID:
                raise
        return self.credentials.token_state is TokenState.FRESH

    def _renew(self) -> None:
        if self.credentials.token_state is not TokenState.FRESH:
            self.credentials.refresh(self._request)

    def close(self) -> None:
        """Close the connections to the token server."""
        self._request.http.clear()
