#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails with file:line for every #include and every name that arrows.txt forbids."""
import argparse
import fnmatch
import os
import re
import sys

SOURCES = (".h", ".hpp", ".cpp", ".inl", ".mm")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Table:
    def __init__(self, text):
        self.orders = {}  # folder → {name: (rank, line of names for the message)}
        self.also = []
        self.never = []
        self.only = []
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if line:
                self._read(line, number)

    def _read(self, line, number):
        kind, _, rest = line.partition(" ")
        if kind == "order":
            folder, _, names = rest.partition(":")
            levels = names.split("<")
            self.orders[folder.strip()] = {name: rank for rank, level in enumerate(levels) for name in level.split()}
        elif kind == "also":
            source, target = (part.strip() for part in rest.split("->"))
            self.also.append((source, target))
        elif kind == "never":
            folder, _, patterns = rest.partition(":")
            self.never.append((folder.strip(), patterns.split()))
        elif kind == "only":
            file, _, names = rest.partition(": ")
            self.only.append((file.strip(), names.split()))
        else:
            sys.exit(f"arrows.txt:{number}: unknown rule \"{kind}\"")

    def objection(self, source, target):
        """Why the file `source` may not include the file `target` (both relative to the root), or None."""
        if any(lies_in(source, a) and lies_in(target, b) for a, b in self.also):
            return None
        common = os.path.commonpath([os.path.dirname(source), os.path.dirname(target)]) or "."
        order = self.orders.get(common)
        if order is None:
            return None
        places = [self._place(order, common, path) for path in (source, target)]
        for name, rank in places:
            if rank is None:
                return f"{name} has no place in \"order {common}\" of arrows.txt"
        (a, rank_a), (b, rank_b) = places
        return None if a == b or rank_b < rank_a else f"{a} may not include {b} (order {common})"

    @staticmethod
    def _place(order, folder, path):
        name = (path if folder == "." else os.path.relpath(path, folder)).split("/")[0]
        if name not in order and "*" in order and path == os.path.normpath(os.path.join(folder, name)):
            name = "*"
        return name, order.get(name)

    def forbidden(self, source, include):
        return any(lies_in(source, folder) and any(fnmatch.fnmatchcase(include, p) for p in patterns) for folder, patterns in self.never)

    def reserved(self, source, line):
        """A name in the line that only another file may contain, and that file; or None. Comments may contain it."""
        code = line.split("//")[0]
        return next(((name, file) for file, names in self.only if file != source for name in names if name in code), None)


def lies_in(path, folder):
    return path == folder or path.startswith(folder + "/")


def resolve(root, rooms, source, name):
    """The included file relative to the root: named from the root (also where the build generates it) or from beside `source`."""
    beside = os.path.normpath(os.path.join(os.path.dirname(source), name))
    for candidate in (os.path.normpath(name), beside):
        if os.path.exists(os.path.join(root, candidate)):
            return candidate
    return name if name.split("/")[0] in rooms and "/" in name else None


def check_file(root, table, source):
    rooms = table.orders.get(".", {})
    with open(os.path.join(root, source), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            reserved = table.reserved(source, line)
            if reserved:
                yield f"{source}:{number}: only {reserved[1]} may use {reserved[0]}"
            found = INCLUDE.match(line)
            if not found:
                continue
            quote, name = found.groups()
            shown = f"<{name}>" if quote == "<" else f'"{name}"'
            target = resolve(root, rooms, source, name) if quote == '"' else None
            why = table.objection(source, target) if target else None
            if table.forbidden(source, shown):
                why = f"{shown} must not be included here"
            if why:
                yield f"{source}:{number}: {why}"


def sources(root, table):
    for room in table.orders.get(".", {}):
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                if name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(folder, name), root)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--root", default=os.path.dirname(os.path.dirname(here)))
    arguments.add_argument("--table", default=os.path.join(here, "arrows.txt"))
    options = arguments.parse_args()
    with open(options.table, encoding="utf-8") as file:
        table = Table(file.read())
    files = list(sources(options.root, table))
    errors = [error for source in files for error in check_file(options.root, table, source)]
    print(*errors, f"arrows: {len(files)} files, {len(errors)} errors", sep="\n")
    return 1 if errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
