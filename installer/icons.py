#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the bitmap icons in installer/icons from resources/icons/weighbridge.svg. Needs rsvg-convert (Debian: librsvg2-bin).

Run it by hand after the drawing has changed; its results are kept in the repository, so that no build needs the converter.
Windows' .ico and Apple's .icns are both small containers of PNG files.
"""
import os
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
DRAWING = os.path.join(HERE, "..", "resources", "icons", "weighbridge.svg")
ICNS_TYPES = {16: b"icp4", 32: b"icp5", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def png(size):
    return subprocess.run(["rsvg-convert", "-w", str(size), "-h", str(size), DRAWING], capture_output=True, check=True).stdout


def ico(sizes):
    pictures = [png(size) for size in sizes]
    offset = 6 + 16 * len(sizes)
    directory = struct.pack("<HHH", 0, 1, len(sizes))
    for size, picture in zip(sizes, pictures):
        directory += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), offset)  # 256 is written as 0
        offset += len(picture)
    return directory + b"".join(pictures)


def icns():
    parts = b""
    for size, kind in ICNS_TYPES.items():
        picture = png(size)
        parts += kind + struct.pack(">I", len(picture) + 8) + picture
    return b"icns" + struct.pack(">I", len(parts) + 8) + parts


def main():
    results = {"48.png": png(48), "256.png": png(256), "weighbridge.ico": ico([16, 32, 48, 256]), "weighbridge.icns": icns()}
    for name, content in results.items():
        with open(os.path.join(HERE, "icons", name), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()
