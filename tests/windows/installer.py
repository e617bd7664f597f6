#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the installer and the ZIP for Windows of a tree that has been built, and tries both silently in a Wine of its own.

installer.py BUILD: fails unless wb.exe runs where it was installed, a second installation keeps it so, and its removal leaves neither a
file nor an entry of the registry. Where the tree has the window, model files must be offered to it, and be its own only after
/ASSOCIATE. wb.exe of the ZIP must keep what it writes in its own folder. NSIS removes its own copy in the folder of temporary files, and CPack's script leaves the empty key of
the vendor.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WINE = ROOT / "tests/windows/wine.sh"
HOME = r"C:\Program Files\Weighbridge"
VENDOR = r"[HKEY_LOCAL_MACHINE\Software\The Weighbridge authors]"
MODEL_TYPE = "Weighbridge.Model"
PATIENCE_S = 120
# One tensor "one" of 8 elements, F32 (docs/reference/formats.md, "GGUF").
MODEL = (b"GGUF" + struct.pack("<IQQQ", 3, 1, 0, 3) + b"one" + struct.pack("<IQIQ", 1, 8, 0, 0)).ljust(64, b"\0") + bytes(32)


def make_packages(build, folder):
    """The installer and the ZIP, from what the tree has built: CPack by itself would build all of it, tests too."""
    staged, packages = folder / "staged", folder / "packages"
    subprocess.run(["cmake", "--install", build, "--prefix", staged], stdout=subprocess.DEVNULL, check=True)
    for generator in ("NSIS", "ZIP"):
        subprocess.run(["cpack", "--config", f"{build}/CPackConfig.cmake", "-G", generator, "-B", packages, "-D", "CPACK_INSTALL_CMAKE_PROJECTS=",
                        "-D", f"CPACK_INSTALLED_DIRECTORIES={staged};."], stdout=subprocess.DEVNULL, check=True)
    return next(packages.glob("*.exe")), next(packages.glob("*.zip"))


class Windows:
    """A Wine whose only folder is this one."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(folder)}
        self.drive = folder / "weighbridge/windows/wine/drive_c"
        self.drive.parents[1].mkdir(parents=True)

    def run(self, *words):
        return subprocess.run([str(WINE), *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S,
                              check=False)

    def files(self):
        return {str(path.relative_to(self.drive)) for path in self.drive.rglob("*") if "Temp/~nsu" not in str(path)}

    def registry(self):
        """Its lines that name the program."""
        text = ""
        for hive in ("HKLM", "HKCU"):
            self.run("reg", "export", hive, r"C:\all.reg", "/y")
            exported = self.drive / "all.reg"
            text += exported.read_text(encoding="utf-16")
            exported.unlink()
        return {line for line in text.splitlines() if "weighbridge" in line.lower() and line != VENDOR}

    def opens(self, ending):
        """The type of files with this ending, and whether the program is among those of "Open with"."""
        key = rf"HKLM\Software\Classes\{ending}"
        found = self.run("reg", "query", key, "/ve").stdout.decode(errors="replace")
        offered = self.run("reg", "query", rf"{key}\OpenWithProgids", "/v", MODEL_TYPE).returncode == 0
        return MODEL_TYPE in found, offered

    def settle(self, reached):
        """The uninstaller goes on as a copy of itself after it has ended."""
        deadline = time.monotonic() + PATIENCE_S
        while not reached() and time.monotonic() < deadline:
            time.sleep(0.5)


def carry(windows, archive):
    """What went wrong with the program of the ZIP."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(windows.drive / "stick")
    home = next((windows.drive / "stick").iterdir())
    model = home / "weighbridge-data/models/one/one.gguf"
    model.parent.mkdir(parents=True)
    model.write_bytes(MODEL)
    before = windows.files()
    listed = windows.run(home / "bin/wb.exe", "library", "--json")
    written = {name for name in windows.files() - before if not name.startswith(f"stick/{home.name}/weighbridge-data/")}
    kept = windows.files() - before - written
    shutil.rmtree(windows.drive / "stick")
    if listed.returncode or b"one.gguf" not in listed.stdout or not kept:
        return [f"carried: wb.exe ended with {listed.returncode}, listed {listed.stdout!r} and kept {sorted(kept)} in its folder"]
    return [f"carried: written elsewhere: {name}" for name in sorted(written) if "weighbridge" in name.lower()]


def walk(windows, installer, has_window):
    """What went wrong with the installer."""
    errors = []
    files, registry = windows.files(), windows.registry()
    program = windows.drive / "Program Files/Weighbridge"
    for word, words in (("installed", ["/S"]), ("renewed", ["/S", "/ASSOCIATE"])):
        status = windows.run(installer, *words).returncode
        version = windows.run(HOME + r"\bin\wb.exe", "--version")
        if status or version.returncode or not version.stdout.startswith(b"wb "):
            errors.append(f"{word}: the installer ended with {status}, wb.exe with {version.returncode}")
        for ending in (".gguf", ".safetensors"):
            expected = ("/ASSOCIATE" in words, True) if has_window else (False, False)
            if windows.opens(ending) != expected:
                errors.append(f"{word}: {ending} belongs to the program and is offered to it: {windows.opens(ending)}, not {expected}")
    if not windows.registry():
        errors.append("the installation is not registered")
    windows.run(HOME + r"\Uninstall.exe", "/S")
    windows.settle(lambda: not program.exists())
    left = sorted(windows.files() - files) + sorted(windows.registry() - registry)
    return errors + [f"left after the removal: {name}" for name in left]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        windows = Windows(folder / "cache")
        build = pathlib.Path(sys.argv[1]).resolve()
        installer, archive = make_packages(build, folder)
        windows.run("wineboot", "-i")
        errors = walk(windows, installer, (build / "bin/weighbridge.exe").exists()) + carry(windows, archive)
        windows.run("wineboot", "-k")  # else its server would write into the folder that is removed
        time.sleep(1)
    print(*(errors or ["installed, renewed, removed and carried around"]), sep="\n")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
