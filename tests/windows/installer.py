#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the installer for Windows of a tree that has been built, and installs, renews and removes the program silently in a Wine of its own.

installer.py BUILD: fails unless wb.exe runs where it was installed, a second installation keeps it so, and its removal leaves neither a
file nor an entry of the registry. NSIS removes its own copy in the folder of temporary files, and CPack's script leaves the empty key of
the vendor.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WINE = ROOT / "tests/windows/wine.sh"
HOME = r"C:\Program Files\Weighbridge"
VENDOR = r"[HKEY_LOCAL_MACHINE\Software\The Weighbridge authors]"
PATIENCE_S = 120


def make_installer(build, folder):
    """From what the tree has built: CPack by itself would build all of it, tests too."""
    staged, packages = folder / "staged", folder / "packages"
    subprocess.run(["cmake", "--install", build, "--prefix", staged], stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["cpack", "--config", f"{build}/CPackConfig.cmake", "-G", "NSIS", "-B", packages, "-D", "CPACK_INSTALL_CMAKE_PROJECTS=", "-D",
                    f"CPACK_INSTALLED_DIRECTORIES={staged};."], stdout=subprocess.DEVNULL, check=True)
    return next(packages.glob("*.exe"))


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

    def settle(self, reached):
        """The uninstaller goes on as a copy of itself after it has ended."""
        deadline = time.monotonic() + PATIENCE_S
        while not reached() and time.monotonic() < deadline:
            time.sleep(0.5)


def walk(windows, installer):
    """What went wrong."""
    errors = []
    windows.run("wineboot", "-i")
    files, registry = windows.files(), windows.registry()
    program = windows.drive / "Program Files/Weighbridge"
    for word in ("installed", "renewed"):
        status = windows.run(installer, "/S").returncode
        version = windows.run(HOME + r"\bin\wb.exe", "--version")
        if status or version.returncode or not version.stdout.startswith(b"wb "):
            errors.append(f"{word}: the installer ended with {status}, wb.exe with {version.returncode}")
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
        errors = walk(windows, make_installer(os.path.abspath(sys.argv[1]), folder))
        windows.run("wineboot", "-k")  # else its server would write into the folder that is removed
        time.sleep(1)
    print(*(errors or ["installed, renewed and removed"]), sep="\n")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
