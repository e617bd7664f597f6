#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""switches.py: the table of docs/reference/download_faults.md against the tests and against tests/servers.

Every test that the table names must exist, and every switch of the servers' headers (a field that makes them do otherwise than they
should) must stand in it with tests that exist. Prints what is wrong and ends with 1."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a field is for and no fault: contents and the ordinary parts of an answer or a repository.
ORDINARY = {"parameters", "status", "headers", "text", "formula", "seed", "begin", "end", "id", "commit", "chineseName", "downloads", "tags", "files",
            "path", "bytes", "isLarge", "sha256", "gitSha1"}


def fields(header, struct):
    body = re.search(r"struct " + struct + r" \{(.*?)\n\};", (ROOT / "tests/servers" / header).read_text(), re.S)[1]
    return {name for name in re.findall(r"^ +[\w:<>, ]+[ >](\w+)(?: =[^;]*)?;", body, re.M)} - ORDINARY


def known_tests():
    names = set()
    for source in (ROOT / "tests").rglob("*_test.cpp"):
        text = source.read_text()
        names |= set(re.findall(r"^TEST(?:_F|_P)?\(\s*\w+,\s*(\w+)\)", text, re.M))
        names |= set(re.findall(r"^    void (\w+)\(\) \{", text, re.M))
    return names


def rows(title):
    text = (ROOT / "docs/reference/download_faults.md").read_text()
    table = text[text.index(title):].split("\n\n")
    lines = next(part for part in table if part.startswith("| ")).splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def main():
    tests, wrong = known_tests(), []
    outcomes, switches = rows("## Faults"), rows("## Switches of the loopback servers")
    for row in outcomes + switches:
        if len(row) != 3 or not all(row):
            wrong.append(f"not three cells: {row}")
            continue
        for name in re.findall(r"\b[A-Za-z]\w*[a-z][A-Z]\w*\b", re.sub(r"\([^)]*\)", "", row[2])):
            if name not in tests:
                wrong.append(f"{row[0]}: there is no test {name}")
    named = {name for row in switches for name in re.findall(r"`(\w+)`", row[0])}
    real = fields("http_server.h", "HttpResponse") | fields("repositories.h", "ServedRepository") | fields("repositories.h", "ServedFile")
    real |= {"expireAddresses", "addListener", "addTls"}
    wrong += [f"the switch {name} is not in the table" for name in sorted(real - named)]
    wrong += [f"there is no switch {name}" for name in sorted(named - real)]
    print("\n".join(wrong) or f"{len(outcomes)} faults and {len(real)} switches, each with its tests")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
