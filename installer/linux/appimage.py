#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the AppImage for Linux of a tree that has been built.

appimage.py BUILD FOLDER [RUNTIME]: writes the folder FOLDER/Weighbridge.AppDir with both programs, Qt and every library but those of glibc,
and FOLDER/weighbridge-VERSION-MACHINE.AppImage, where RUNTIME is given: runtime-x86_64 or runtime-aarch64 of a release of
https://github.com/AppImage/type2-runtime. The result runs where glibc is as new as that of the machine that built it, so releases are
built on the oldest system they are for. Started as "NAME.AppImage wb WORD ...", it is the command line. Needs patchelf and squashfs-tools.
https://github.com/AppImage/AppImageSpec/blob/master/draft.md
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What Qt loads by name: the systems of windows, input methods, pictures, SQLite, certificates.
PLUGINS = ("platforms", "platforminputcontexts", "xcbglintegrations", "wayland-shell-integration", "wayland-decoration-client",
           "wayland-graphics-integration-client", "imageformats", "iconengines", "sqldrivers", "tls")
# Of glibc, which cannot be another than the system's: its loader starts the program.
GLIBC = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl|nss_.*|thread_db|BrokenLocale))\.so\.")
# The drivers of graphics cards, which are the system's, need one at least as new as theirs; ours is for systems that have none.
FALLBACK = re.compile(r"lib(stdc\+\+|gcc_s)\.so\.")
START = """#!/bin/sh
# Starts the window, or the command line where the first word is wb.
here=$(dirname "$(readlink -f "$0")")
for folder in /usr/lib /usr/lib64 /lib /lib64 /usr/lib/*-linux-gnu /lib/*-linux-gnu; do
    if [ -e "$folder/libstdc++.so.6" ]; then found=yes; fi
done
if [ -z "$found" ]; then
    export LD_LIBRARY_PATH="$here/usr/lib/fallback${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
program=weighbridge
if [ "$1" = wb ]; then
    program=wb
    shift
fi
exec "$here/usr/bin/$program" "$@"
"""


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def libraries(file):
    """The paths of all libraries that FILE loads at its start."""
    found = re.findall(r"^\s*(\S+) => (\S+) \(", run("ldd", file), flags=re.M)
    missing = re.findall(r"^\s*(\S+) => not found", run("ldd", file), flags=re.M)
    if missing:
        sys.exit(f"appimage: {file} needs {', '.join(missing)}, which this machine does not have")
    return {pathlib.Path(path) for _, path in found}


def plugin_folder():
    for name in ("qtpaths6", "qmake6"):
        if shutil.which(name):
            option = "--plugin-dir" if name == "qtpaths6" else None
            return pathlib.Path(run(name, *([option] if option else ["-query", "QT_INSTALL_PLUGINS"])).strip())
    return pathlib.Path(f"/usr/lib/{platform.machine()}-linux-gnu/qt6/plugins")


def fill(build, folder):
    run("cmake", "--install", build, "--prefix", folder / "usr", "--strip")
    binaries, plugins, library = folder / "usr/bin", folder / "usr/plugins", folder / "usr/lib"
    source = plugin_folder()
    for name in PLUGINS:
        if (source / name).is_dir():
            shutil.copytree(source / name, plugins / name)
    files = [path for path in [*binaries.iterdir(), *plugins.rglob("*.so")] if path.is_file()]
    (library / "fallback").mkdir(parents=True)
    for path in sorted({path for file in files for path in libraries(file)}):
        if not GLIBC.match(path.name):
            target = (library / "fallback" if FALLBACK.match(path.name) else library) / path.name
            shutil.copyfile(path.resolve(), target)
    for path in [*files, *library.glob("*.so*")]:
        run("patchelf", "--set-rpath", "$ORIGIN/" + os.path.relpath(library, path.parent), path)
    (binaries / "qt.conf").write_text("[Paths]\nPrefix = ..\nPlugins = plugins\n", encoding="utf-8")
    (folder / "AppRun").write_text(START, encoding="utf-8")
    (folder / "AppRun").chmod(0o755)
    shutil.copyfile(folder / "usr/share/applications/weighbridge.desktop", folder / "weighbridge.desktop")
    shutil.copyfile(folder / "usr/share/icons/hicolor/256x256/apps/weighbridge.png", folder / "weighbridge.png")
    (folder / ".DirIcon").symlink_to("weighbridge.png")


def version():
    return re.search(r"project\(Weighbridge VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)


def pack(folder, runtime, image):
    """Times and owners are those of nobody, so that two builds of the same files give the same bytes."""
    squashed = image.with_suffix(".squashfs")
    run("mksquashfs", folder, squashed, "-root-owned", "-noappend", "-all-time", "0", "-mkfs-time", "0", "-comp", "zstd", "-no-progress")
    with image.open("wb") as target:
        for part in (runtime, squashed):
            with part.open("rb") as source:
                shutil.copyfileobj(source, target, 1 << 20)
    squashed.unlink()
    image.chmod(0o755)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    build, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    directory = folder / "Weighbridge.AppDir"
    shutil.rmtree(directory, ignore_errors=True)
    fill(build, directory)
    print(directory)
    if len(sys.argv) == 4:
        image = folder / f"weighbridge-{version()}-{platform.machine()}.AppImage"
        pack(directory, pathlib.Path(sys.argv[3]), image)
        print(image)


if __name__ == "__main__":
    main()
