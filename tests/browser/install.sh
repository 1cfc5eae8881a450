#!/usr/bin/env bash
# Chromium and its driver from Debian, where they are missing. Needs root, or sudo that asks for no password.
set -euo pipefail

have() { command -v chromium && command -v chromedriver; } >/dev/null
give_up() {
    echo "the console's browser tests need chromium and chromedriver, and $1" >&2
    echo "install them yourself: apt-get install chromium chromium-driver fonts-dejavu-core" >&2
    exit 1
}
if have; then exit 0; fi
command -v apt-get >/dev/null || give_up "this system has no apt-get"
root=()
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || give_up "you are neither root nor may use sudo without a password"
    root=(sudo -n)
fi

apt() {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive timeout 240 apt-get --quiet=2 \
        -o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=180 "$@"
}

echo "installing Chromium from Debian (about a minute) ..."
for pause_s in 5 15 0; do
    # A source that is away or unsigned must not keep us from those that answer.
    apt update || echo "apt-get update had faults; going on with what is known" >&2
    if apt install --yes --no-install-recommends chromium chromium-driver fonts-dejavu-core >/dev/null && have; then
        exit 0
    fi
    sleep "$pause_s"
done
give_up "apt-get could not install them"
