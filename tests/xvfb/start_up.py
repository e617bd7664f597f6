#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Starts the window on an X server of its own (Xvfb) and fails unless it paints something and stays alive.

Xvfb keeps its screen in a file in the format of xwd, so the picture is read from there without a further tool.
"""
import argparse
import collections
import os
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SCREEN = "1280x800x24"
PATIENCE_S = 60  # a loaded machine is slow; nothing is measured here


def start_x_server(folder):
    """Xvfb chooses a free display and writes its number; the server and the number are returned."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", SCREEN, "-fbdir", folder, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as display:
        return server, display.readline().strip()


def read_screen(folder):
    """(width, height, rows of 4-byte BGRX pixels) of the screen."""
    with open(os.path.join(folder, "Xvfb_screen0"), "rb") as file:
        data = file.read()
    header = struct.unpack(">25I", data[:100])
    size, width, height, bytes_per_line, colours = header[0], header[4], header[5], header[12], header[19]
    start = size + 12 * colours
    return width, height, [data[start + y * bytes_per_line:][: 4 * width] for y in range(height)]


def is_painted(rows):
    """Text has many shades of its colour; an empty screen or a bare rectangle has one or two."""
    pixels = collections.Counter(pixel for row in rows[::2] for pixel in struct.unpack(f"<{len(row) // 4}I", row))
    return len(pixels) >= 32


def write_png(path, width, height, rows):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    lines = bytearray()
    for row in rows:
        rgb = bytearray(3 * width)
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        lines += b"\0" + rgb
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(bytes(lines))) + chunk(b"IEND", b""))


def stop(process):
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def watch_program(command, environment, folder):
    """What went wrong, or None once the program has painted; and the screen as it was then, (width, height, rows)."""
    program = subprocess.Popen(command, env=environment)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            screen = read_screen(folder)
            if program.poll() is not None:
                return f"the program ended by itself with status {program.returncode}", screen
            if is_painted(screen[2]):
                return None, screen
            if time.monotonic() > deadline:
                return f"the screen was still blank after {PATIENCE_S} s", screen
            time.sleep(0.1)
    finally:
        stop(program)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--screenshot", help="where the last picture of the screen is kept")
    arguments.add_argument("command", nargs="+", help="the program and what it opens")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, display = start_x_server(folder)
        if not display:
            sys.exit("Xvfb did not start")
        home = {name: os.path.join(folder, name) for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
        environment = {**os.environ, **home, "DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb"}
        try:
            error, screen = watch_program(options.command, environment, folder)
        finally:
            stop(server)
    if options.screenshot:
        write_png(options.screenshot, *screen)
    print(error or "the window is painted")
    return 1 if error else 0


if __name__ == "__main__":
    sys.exit(main())
