#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the AppImage's folder from build/release and starts both programs in a container that has a shell and glibc alone; packs it
# twice, with a stand-in for the runtime, and compares the bytes.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "no program" >"$folder/runtime"
for turn in first second; do
    mkdir "$folder/$turn"
    python3 installer/linux/appimage.py build/release "$folder/$turn" "$folder/runtime" >&2
done
cmp "$folder"/first/*.AppImage "$folder"/second/*.AppImage

root=$folder/root
mkdir -p "$root"/{bin,lib64,lib/x86_64-linux-gnu,proc,dev,tmp,app}
cp -a "$folder/first/Weighbridge.AppDir/." "$root/app"
cp /bin/busybox "$root/bin/busybox"
for name in sh dirname readlink; do ln -s busybox "$root/bin/$name"; done
cp -L /lib64/ld-linux-x86-64.so.2 "$root/lib64"
cp -L /lib/x86_64-linux-gnu/lib{c,m,dl,rt,pthread,resolv,util}.so.? "$root/lib/x86_64-linux-gnu"
touch "$root"/dev/{null,urandom}
python3 - "$root/tmp/model.gguf" <<'END'
import struct, sys
def text(word): return struct.pack("<Q", len(word)) + word
with open(sys.argv[1], "wb") as file:
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text(b"one") + struct.pack("<IQIQ", 1, 4, 0, 0)
    file.write(head + bytes(-len(head) % 32) + struct.pack("<4f", 1, 2, 3, 4))
END

# inside WORD …: in the container, as its root and without a network. Devices are the machine's.
inside() {
    unshare --user --map-root-user --mount --net --pid --fork sh -c '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        for device in null urandom; do mount --bind "/dev/$device" "$root/dev/$device"; done
        exec chroot "$root" /bin/sh -c "HOME=/tmp QT_QPA_PLATFORM=offscreen exec \"\$@\"" sh "$@"' sh "$root" "$@"
}
inside /app/AppRun wb --version
inside /app/AppRun wb inspect /tmp/model.gguf | grep -q '^.*one.*F32' || { echo "appimage: wb does not read a model" >&2; exit 1; }
inside /app/AppRun --version
echo "appimage: $(du -sk "$folder"/first/*.AppImage | cut -f1) KiB, starts in a container with glibc alone; two builds have the same bytes"
