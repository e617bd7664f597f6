#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails with file:line for every name of a model family in code outside its record.

The records are in core/arch/families. Their GGUF names, model types and classes may not occur in string literals elsewhere in
core, gpu, ui and app, nor may identifiers contain the word of a family. Comments may name families as examples. exceptions.txt
lists tables of data that contain such words for another reason, and words that also mean something else.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = "core/arch/families"
FOLDERS = ("app", "core", "gpu", "ui")
SUFFIXES = (".h", ".cpp", ".mm", ".comp", ".glsl")

TOKENS = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|R"(?P<tag>[^(\s]*)\((?P<raw>.*?)\)(?P=tag)"'
    r"|\"(?P<text>(?:[^\"\\\n]|\\.)*)\"|'(?:[^'\\\n]|\\.)+'"
    r"|(?P<number>\d[\w']*)"
    r"|(?P<word>[A-Za-z_]\w*)",
    re.S,
)
CAMEL = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")


def names(root):
    """GGUF names, model types and classes of all records."""
    found = set()
    for path in sorted((root / RECORDS).glob("*.cpp")):
        text = re.sub(r"\.preTokenizer = \{[^{}]*\}", "", path.read_text(encoding="utf-8"))
        found.update(re.findall(r'\.architecture = "([^"]+)"', text))
        found.update(re.findall(r'\.name = "([^"]+)"', text))
        for row in re.findall(r"\.(?:modelTypes|classes) =\s*\{((?:[^{}]|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*)\}", text):
            found.update(re.findall(r'(?:^|\{)\s*"([^"]+)"', row))
            found.update(re.findall(r'"(\w+For\w+|\w+Model)"', row))
    return found


def exceptions(path):
    """Files that may name families, words by file, and words that are not names of families in code."""
    files, by_file, words = set(), {}, set()
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.split("#")[0].strip().partition(" ")
        if kind == "file":
            files.add(rest.strip())
        elif kind == "in":
            name, *allowed = rest.split()
            by_file[name] = set(allowed)
        elif kind == "words":
            words.update(rest.split())
        elif kind:
            sys.exit(f"{path}: unknown rule \"{kind}\"")
    return files, by_file, words


def stems(known):
    """The words of families that identifiers must not contain: the letters that names begin with, and names with digits."""
    letters = {match.group() for name in known if (match := re.match(r"[a-z]{4,}", name))}
    return letters | {re.sub(r"\W|_", "", name) for name in known if re.search(r"\d", name)}


def problems(text, known, words):
    """Yields (line, what) for each name of a family in the code of a file."""
    lines = stems({name for name in known if name[0].islower()}) - words
    lowered = text.lower()
    if not any(word in lowered for word in lines | {name.lower() for name in known - words}):
        return  # most files: faster than reading their code
    for match in TOKENS.finditer(text):
        literal = match.group("raw") if match.group("raw") is not None else match.group("text")
        if literal is not None:
            for part in re.split(r"[\s,;:\"'(){}\[\]]+", literal):
                if part in known and part not in words:
                    yield text.count("\n", 0, match.start()) + 1, f'"{part}"'
        elif match.group("word"):
            parts = [part.lower() for part in CAMEL.findall(match.group("word"))]
            for index, part in enumerate(parts):
                following = "".join(parts[index : index + 2])
                is_family = part in lines or part.rstrip("0123456789") in lines
                if is_family and part not in words and following not in words:
                    yield text.count("\n", 0, match.start()) + 1, match.group("word")
                    break


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    root = parser.parse_args().root
    files, by_file, words = exceptions(pathlib.Path(__file__).with_name("exceptions.txt"))
    known = names(root)
    if not known:
        sys.exit(f"{RECORDS}: no record was found")
    found = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in SUFFIXES or name.startswith(RECORDS + "/") or name in files:
                continue
            for line, what in problems(path.read_text(encoding="utf-8", errors="replace"), known, words | by_file.get(name, set())):
                print(f"{name}:{line}: {what} belongs in a record of {RECORDS}")
                found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
