"""Proxies that break things on purpose, at an exact request: in front of the bucket, the control plane, Pub/Sub.

with http_proxy(gcs_url) as proxy:
    proxy.plan.add(Rule("drop_reply", nth=3, method="POST", path="/upload/"))
    ... point the program under test at proxy.url ...
"""

from __future__ import annotations

from local.faults.http_proxy import HttpProxy, http_proxy
from local.faults.plan import FaultPlan, Rule, Seen
from local.faults.tcp_proxy import TcpProxy, tcp_proxy

__all__ = ["FaultPlan", "HttpProxy", "Rule", "Seen", "TcpProxy", "http_proxy", "tcp_proxy"]
