#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the DEB from build/release, unpacks it and starts what is in it: CPack's staging is not what `cmake --install` does.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cpack --config build/release/CPackConfig.cmake -G DEB -B "$folder/deb" >&2
deb=$(echo "$folder"/deb/*.deb)
dpkg-deb --info "$deb"
dpkg-deb --extract "$deb" "$folder/root"
bin=$folder/root/usr/bin

# A package whose libraries nobody looked up would install and then not start.
for library in libqt6widgets6 libfmt9; do
    dpkg-deb --field "$deb" Depends | grep -q "$library" || { echo "package: $library is not among the dependencies" >&2; exit 1; }
done
desktop-file-validate "$folder/root/usr/share/applications/weighbridge.desktop"
appstreamcli validate --no-net "$folder/root/usr/share/metainfo/org.weighbridge.Weighbridge.metainfo.xml"

"$bin/wb" --version
QT_QPA_PLATFORM=offscreen "$bin/weighbridge" --version
python3 tests/xvfb/start_up.py "$bin/weighbridge"
echo "package: $(basename "$deb"), $(($(stat -c %s "$deb") / 1024)) KiB, starts"
