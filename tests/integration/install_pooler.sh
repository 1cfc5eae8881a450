#!/usr/bin/env bash
# PgBouncer from Debian, where it is missing. Needs root, or sudo that asks for no password.
set -euo pipefail

have() { command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ]; }
if have; then exit 0; fi
root=()
if [ "$(id -u)" != 0 ]; then root=(sudo -n); fi
apt() {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive timeout 240 apt-get --quiet=2 \
        -o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=180 "$@"
}
apt update || echo "apt-get update had faults; going on with what is known" >&2
apt install --yes --no-install-recommends pgbouncer >/dev/null
have
