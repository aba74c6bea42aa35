#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of tools/packages.txt that are missing. Touches nothing else, and
# says nothing when all are there.
set -eu
cd "$(dirname "$0")"

packages=$(awk '!/^#/ && NF { print $1 }' packages.txt)

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "setup: this is no Debian; what Tessera needs is listed in tools/packages.txt"
    exit 0
fi

missing=
for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "setup: not root and no sudo; as root, run: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "setup: installing$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of names
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing
