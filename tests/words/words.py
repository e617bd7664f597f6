#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails with file:line for every expression of words_check.txt in strings, documents and comments.

exceptions.tsv lists allowed places: file, the text of the line (or a part of it), the reason.
Arguments are path prefixes (default: everything). --count prints one number per folder instead of the places;
--subjects RANGE checks commit subjects.
"""
import collections
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CODE = ("app", "core", "gpu", "ui")
# A literal, a character, a raw string or a comment, whichever starts first.
TOKEN = re.compile(r'R"(?P<d>[^(\s"]*)\((?P<raw>.*?)\)(?P=d)"|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\''
                   r"|//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/", re.S)


def read_patterns(path):
    """Two lists of compiled expressions: for all texts, and for commit subjects alone."""
    texts, subjects = [], []
    target = texts
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            if line.strip() == "# Commit subjects alone":
                target = subjects
            continue
        expression = line.split("\t")[0]
        if expression:
            target.append(re.compile(expression))
    return texts, subjects


def read_exceptions(path):
    rows = collections.defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, text, reason = line.split("\t")
            assert reason.strip(), f"an exception without a reason: {line}"
            rows[file].append([text, False])
    return rows


def code_texts(source):
    """Yields (line, text) for each comment and each string literal with a space, joined over lines."""
    pending, start, end = [], 0, 0  # neighbouring literals, or comment lines, are one text
    kind = None

    def flush():
        if pending:
            yield source.count("\n", 0, start) + 1, kind, " ".join(pending) if kind == "comment" else "".join(pending)

    for match in TOKEN.finditer(source):
        if match.group("line") is not None:
            now, text = "comment", match.group("line").strip("/ ")
        elif match.group("block") is not None:
            now, text = "comment", match.group("block")
        elif match.group("text") is not None:
            now, text = "string", match.group("text")
        elif match.group("raw") is not None:
            now, text = "string", match.group("raw")
        else:
            continue
        between = source[end:match.start()]
        if now != kind or between.strip() or (now == "comment" and between.count("\n") > 1) or not pending:
            yield from flush()
            pending, start, kind = [], match.start(), now
        pending.append(text)
        end = match.end()
    yield from flush()


def document_texts(source):
    fenced = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, "document", line


def texts_of(path):
    source = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".md":
        yield from document_texts(source)
    elif path.suffix in (".comp", ".glsl", ".h", ".cpp"):
        for line, kind, text in code_texts(source):
            if kind == "comment" or " " in text:
                yield line, kind, text


def files():
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".comp", ".glsl", ".md"):
                yield path
    yield ROOT / "README.md"
    yield ROOT / "CONTRIBUTING.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def places(patterns, exceptions, prefixes):
    for path in files():
        name = str(path.relative_to(ROOT))
        if prefixes and not name.startswith(tuple(prefixes)):
            continue
        for line, kind, text in texts_of(path):
            for pattern in patterns:
                found = pattern.search(text)
                if not found:
                    continue
                allowed = [row for row in exceptions.get(name, []) if row[0] in text]
                for row in allowed:
                    row[1] = True
                if not allowed:
                    begin = max(0, found.start() - 50)
                    yield name, line, kind, found.group(0), text[begin:found.end() + 50].replace("\n", " ")


def check_subjects(patterns, span):
    subjects = subprocess.run(["git", "log", "--format=%h %s", span], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    wrong = [line for line in subjects.splitlines() if any(p.search(line.split(" ", 1)[1]) for p in patterns)]
    print("\n".join(wrong))
    return 1 if wrong else 0


def main(arguments):
    patterns, subjects = read_patterns(HERE / "words_check.txt")
    if "--subjects" in arguments:
        return check_subjects(patterns + subjects, arguments[arguments.index("--subjects") + 1])
    exceptions = read_exceptions(HERE / "exceptions.tsv")
    prefixes = [argument for argument in arguments if not argument.startswith("--")]
    found = list(places(patterns, exceptions, prefixes))
    if "--count" in arguments:
        count = collections.Counter((place[2], "/".join(place[0].split("/")[:2])) for place in found)
        for (kind, folder), number in sorted(count.items()):
            print(f"{number:6} {kind:9} {folder}")
    else:
        for name, line, kind, word, context in found:
            print(f"{name}:{line}: {kind}: “{word}” in: …{context}…")
    unused = [(file, row[0]) for file, rows in exceptions.items() for row in rows
              if not row[1] and (not prefixes or file.startswith(tuple(prefixes)))]
    for file, text in unused:
        print(f"{file}: the exception “{text}” is not needed any more")
    return 1 if found or unused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
