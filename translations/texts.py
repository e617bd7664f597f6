#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keeps translations/*.ts in step with the sources: `update` writes them, `check` fails unless they are current and complete.

core has no Qt: it marks sentences with WB_TEXT, which lupdate does not know. So lupdate reads copies of the sources in which WB_TEXT
is QT_TRANSLATE_NOOP in the context "core". English needs a file of its own for its plurals only.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

ROOMS = ("core", "gpu", "ui", "app")
FIELD = re.compile(r"\{\}|%n|%L?\d")


def copy_sources(root, work):
    shutil.rmtree(work, ignore_errors=True)
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            text = path.read_text(encoding="utf-8").replace("#define WB_TEXT", "#define MARKED")
            target = work / path.relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(re.sub(r"\bWB_TEXT\(\s*", 'QT_TRANSLATE_NOOP("core", ', text), encoding="utf-8")


def run_lupdate(lupdate, work, ts, language):
    # Obsolete messages go, places are left out: the file then changes only when a text does.
    options = ["-locations", "none", "-no-obsolete", "-source-language", "en", "-target-language", language, "-silent", "-I", str(work)]
    if language == "en":
        options.append("-pluralonly")
    subprocess.run([lupdate, *options, *(str(work / room) for room in ROOMS if (work / room).exists()), "-ts", str(ts)], check=True)


def language_of(ts):
    return ts.stem.removeprefix("weighbridge_")


def faults_of_message(context, message):
    source = message.findtext("source", "")
    translation = message.find("translation")
    forms = [form.text or "" for form in translation.findall("numerusform")] or [translation.text or ""]
    where = f"{context}: {source!r}"
    if translation.get("type") or not all(forms):
        yield f"{where} is not translated"
        return
    wanted = sorted(FIELD.findall(source))
    for form in forms:
        found = sorted(FIELD.findall(form))
        if found != wanted and found + ["%n"] != wanted:  # a plural form may spell the number out
            yield f"{where} has the fields {wanted}, but its translation has {found}"


def faults_of_file(ts):
    for context in xml.parse(ts).getroot().iter("context"):
        for message in context.iter("message"):
            yield from faults_of_message(context.findtext("name"), message)


def check(files, lupdate, work):
    faults = []
    for ts in files:
        copy = work / ts.name
        shutil.copy(ts, copy)
        run_lupdate(lupdate, work, copy, language_of(ts))
        if copy.read_bytes() != ts.read_bytes():
            faults.append(f"{ts.name} is not current: build the target update_translations and translate what is new")
        faults += [f"{ts.name}: {fault}" for fault in faults_of_file(copy)]
    return faults


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("action", choices=("update", "check"))
    arguments.add_argument("--lupdate", required=True)
    arguments.add_argument("--work", required=True, type=pathlib.Path, help="a folder for the copies; what is in it is thrown away")
    options = arguments.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    files = sorted((root / "translations").glob("weighbridge_*.ts"))
    copy_sources(root, options.work)
    if options.action == "update":
        for ts in files:
            run_lupdate(options.lupdate, options.work, ts, language_of(ts))
        return 0
    faults = check(files, options.lupdate, options.work)
    print("\n".join(faults) or "the translations are current and complete")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
