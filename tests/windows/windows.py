#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks with mingw that sources compile for Windows: names and types only, nothing is linked or run.

windows.py BUILD [PREFIX …] takes the sources and their definitions from BUILD/compile_commands.json: those whose path begins with a PREFIX, or
core, gpu and app, where systems differ. A file that only includes sources (WEIGHBRIDGE_UNITY) stands for them. BUILD has been built, since
headers are made, too. No libraries for Windows are at hand; the headers of those that are installed are portable.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPILER = ["x86_64-w64-mingw32-g++-posix", "-std=c++23", "-fsyntax-only", "-Werror"]
INCLUDE = "/usr/include"
LIBRARIES = ["CLI", "bzlib.h", "fmt", "glm", "gmock", "gtest", "hwy", "lzma", "lzma.h", "md4c.h", "nlohmann", "pcre2.h", "utf8proc.h", "vk_video", "volk.h", "vulkan", "zconf.h",
             "zlib.h", "zstd.h", "zstd_errors.h"]


def link_libraries(folder):
    """The system's whole include folder would bring glibc's headers along."""
    for name in LIBRARIES:
        os.symlink(os.path.join(INCLUDE, name), os.path.join(folder, name))


def wanted(path, prefixes):
    return os.path.relpath(path, ROOT).startswith(prefixes)


def sources_of(entry):
    """The entry, or one for each source that its file includes where it is a unit of several."""
    if "/generated/units/" not in entry["file"]:
        return [entry]
    with open(entry["file"], encoding="utf-8") as unit:
        return [{**entry, "file": os.path.join(ROOT, line.split('"')[1])} for line in unit]


def options_of(entry):
    """Definitions, our folders, warnings, and the folders of libraries that have their own."""
    words = shlex.split(entry["command"])
    own = [word for word in words if word.startswith(("-D", "-I", "-W")) and word != "-DFMT_SHARED"]
    libraries = [folder for option, folder in zip(words, words[1:]) if option == "-isystem" and folder.startswith(f"{INCLUDE}/")]
    return own + [word for folder in libraries for word in ("-isystem", folder)]


def check(entry, libraries):
    """What the compiler says, nothing where all is well."""
    command = [*COMPILER, "-isystem", libraries, *options_of(entry), entry["file"]]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def main():
    build, prefixes = sys.argv[1], tuple(sys.argv[2:]) or ("app/", "core/", "gpu/")
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        units = [source for entry in json.load(file) for source in sources_of(entry)]
    entries = [entry for entry in units if wanted(entry["file"], prefixes)]
    with tempfile.TemporaryDirectory() as libraries, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        link_libraries(libraries)
        bad = 0
        for text in pool.map(lambda entry: check(entry, libraries), entries):
            bad += bool(text)
            print(text, end="", file=sys.stderr, flush=True)
    print(f"windows: {len(entries)} files, {bad} of them do not compile")
    return 1 if bad or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
