"""Cloud Run Jobs for one machine: the v2 REST API for the unmodified client; an execution is a local process.

Point a client at it with ``transport="rest"`` and ``ClientOptions(api_endpoint="http://127.0.0.1:<port>")``. Container
images are ignored, the command runs on this machine; tasks of one execution run one after the other.
"""
