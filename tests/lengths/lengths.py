#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how long files and functions are. For people to judge: it never fails. Function lengths need universal-ctags."""
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LONG_FILE = 400
LONG_FUNCTION = 100


def sources():
    for room in ("core", "gpu", "ui", "app", "tests"):
        for folder, _, names in os.walk(os.path.join(ROOT, room)):
            for name in sorted(names):
                if name.endswith((".h", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def lines_of(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return sum(1 for _ in file)


def functions(paths):
    """(length, name with its place) of every function ctags finds."""
    command = ["ctags", "-L", "-", "--languages=C++", "--langmap=C++:+.h", "--kinds-C++=f", "--fields=+ne", "-f", "-"]
    tags = subprocess.run(command, input="\n".join(paths), capture_output=True, text=True, cwd=ROOT, check=False).stdout
    for tag in tags.splitlines():
        name, path, *fields = tag.split("\t")
        place = dict(field.split(":", 1) for field in fields if ":" in field)
        if "line" in place and "end" in place:
            yield int(place["end"]) - int(place["line"]) + 1, f"{path}:{place['line']} {name}"


def report(what, lengths, limit):
    """`lengths` are (lines, name) pairs."""
    if not lengths:
        return
    lengths = sorted(lengths)
    median, p90 = (lengths[min(len(lengths) - 1, int(len(lengths) * share))][0] for share in (0.5, 0.9))
    print(f"{what}: {len(lengths)}, lines median {median}, p90 {p90}, longest {lengths[-1][0]}")
    for length, name in reversed(lengths):
        if length > limit:
            print(f"  over {limit}: {length} {name}")


def main():
    paths = list(sources())
    report("files", [(lines_of(path), path) for path in paths], LONG_FILE)
    if shutil.which("ctags"):
        report("functions", list(functions(paths)), LONG_FUNCTION)
    else:
        print("functions: not measured, universal-ctags is missing")


if __name__ == "__main__":
    main()
