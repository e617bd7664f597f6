#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails with file:line where packages.txt, the only list of packages, is not followed.

Each library has a name in vcpkg and Homebrew, no row stands twice, docs/install.md installs exactly these names, the workflows read
the table and name no package themselves, and a sentence of CMake that names a package of Debian names one of the table.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = ("run", "test", "arm", "mingw", "windows", "macos", "dev")
SYSTEMS = ("vcpkg", "brew")
PRESENT = ("libc6-dev",)  # what the compiler brings


def rows(root):
    """(line, group, package, {system: [names]}) of each row."""
    for number, line in enumerate((root / "packages.txt").read_text(encoding="utf-8").splitlines(), 1):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        elsewhere = {system: [w.split(":", 1)[1] for w in words[2:] if w.startswith(system + ":")] for system in SYSTEMS}
        yield number, words[0], words[1], elsewhere


def table_problems(root):
    seen = set()
    for number, group, package, elsewhere in rows(root):
        if group not in GROUPS:
            yield f"packages.txt:{number}: no group is named {group}"
        if (group, package) in seen:
            yield f"packages.txt:{number}: {package} is listed twice"
        seen.add((group, package))
        for system in SYSTEMS:
            if group in ("run", "test") and package.endswith("-dev") and not elsewhere[system]:
                yield f"packages.txt:{number}: {package} has no name for {system}"


def names(root, system):
    return {name for *_, elsewhere in rows(root) for name in elsewhere[system]} - {"-"}


def installs(line, system):
    """The packages of a command that installs them, or None."""
    found = re.search(rf"\b{system} install\b(.*)", line)
    return None if found is None else {word for word in re.sub(r"--triplet \S+", "", found[1]).split() if not word.startswith("-")}


def document_problems(root):
    page = "docs/install.md"
    for system in SYSTEMS:
        found = False
        for number, line in enumerate((root / page).read_text(encoding="utf-8").splitlines(), 1):
            listed = installs(line, system)
            if not listed:
                continue
            found = True
            for name in sorted(listed ^ names(root, system)):
                yield f"{page}:{number}: {name} is {'not in packages.txt' if name in listed else 'missing'}"
        if not found:
            yield f"{page}:1: does not say what {system} is to install"


def workflow_problems(root):
    for path in sorted((root / ".github/workflows").glob("*.yml")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for system in SYSTEMS:
                listed = installs(line, system)
                if listed is not None and f"$(./dev packages {system})" not in line:
                    yield f"{path.relative_to(root)}:{number}: installs without ./dev packages {system}"


def sentence_problems(root):
    known = {package for _, _, package, _ in rows(root)} | set(PRESENT)
    for path in [*root.glob("CMakeLists.txt"), *root.glob("*/**/CMakeLists.txt"), *root.glob("cmake/*.cmake")]:
        if "build" in path.relative_to(root).parts:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            called = re.match(r"\s*wb_find\(\w+ ([\w.+-]+)", line)
            for name in ([called[1]] if called else []) + re.findall(r"On Debian install ([\w.+-]+)", line):
                if name not in known:
                    yield f"{path.relative_to(root)}:{number}: {name} is not in packages.txt"


def problems(root):
    return [*table_problems(root), *document_problems(root), *workflow_problems(root), *sentence_problems(root)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    found = problems(parser.parse_args().root)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
