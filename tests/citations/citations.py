#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails with file:line for every citation of a document or heading that is not in the repository.

A citation is `docs/NAME.md` or `docs/reference/NAME.md`, optionally followed by headings: `, "A"`, ` and "B"`, ` to "C"`.
Documents outside the repository (specs/, DESIGN.md) must not be cited; a public source is cited by repository and path.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("app", "cmake", "core", "docs", "gpu", "installer", "tests", "ui")
SUFFIXES = (".h", ".cpp", ".comp", ".glsl", ".txt", ".py", ".sh", ".tsv", ".cmake", ".md")
# Comments continue on the next line: the marks between two lines count as a space.
LINE_BREAK = re.compile(r"\n[ \t]*(?://+|#+|\*)?[ \t]*")
CITATION = re.compile(r"(?<![\w/:])(docs/(?:reference/)?[a-z_]+\.md)((?:(?:,| and| to|, and) \"[^\"\n]+\")*)")
REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+: $")  # the document of a public repository
OUTSIDE = re.compile(r"(?<![\w/-])(specs/[\w.-]*|DESIGN\.md)")


def headings(page):
    return {line.lstrip("#").strip() for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("#")}


def problems(root, path):
    """Yields (line, message) for each wrong citation in the file."""
    text = path.read_text(encoding="utf-8", errors="replace")
    starts = []  # position in the joined text → line

    joined, last, line = "", 0, 1
    for match in LINE_BREAK.finditer(text):
        starts.append((len(joined), line))
        joined += text[last:match.start()] + " "
        last, line = match.end(), line + 1
    starts.append((len(joined), line))
    joined += text[last:]

    def line_at(position):
        return max(number for start, number in starts if start <= position)

    for match in OUTSIDE.finditer(joined):
        yield line_at(match.start()), f"cites {match.group(1)}, which is not in the repository"
    for match in CITATION.finditer(joined):
        if REPOSITORY.search(joined[:match.start()][-100:]):
            continue
        page = root / match.group(1)
        if not page.is_file():
            yield line_at(match.start()), f"cites {match.group(1)}, which does not exist"
            continue
        known = headings(page)
        for heading in re.findall(r'"([^"\n]+)"', match.group(2)):
            if heading not in known:
                yield line_at(match.start()), f'cites the heading "{heading}", which {match.group(1)} does not have'


def main(root):
    count = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES or path.parent.name == "citations" or not path.is_file():
                continue
            for line, message in problems(root, path):
                print(f"{path.relative_to(root)}:{line}: {message}")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(ROOT))
