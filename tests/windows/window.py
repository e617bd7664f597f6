#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Starts the window for Windows in Wine on a screen of its own (Xvfb), and takes its pictures.

window.py FOLDER WEIGHBRIDGE.EXE WEIGHBRIDGE_SCREENSHOTS.EXE: fails unless the program opens a model and stays alive, and every view of
VIEWS is painted in both languages: the starter model inspected, quantized, and answering, where it has been fetched (./dev windows does).
The pictures lie in FOLDER.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/xvfb"))
import start_up  # noqa: E402

WINE = ROOT / "tests/windows/wine.sh"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "weighbridge"
PREFIX = CACHE / "windows/wine"
STARTER = CACHE / "models/SmolLM2-135M-Instruct.Q4_1.gguf"
FONTS = pathlib.Path("/usr/share/wine/fonts")
VIEWS = ["start", "settings", "inspect-overview", "inspect-distribution", "inspect-metadata", "convert-result", "chat-answer", "library-folders"]
LOOKS = ["en-light", "zh_CN-dark"]
SECONDS_TO_OPEN = 180
SECONDS_TO_TAKE = 500


def dos(path):
    """A path of this machine as Wine's drive Z: has it."""
    return "Z:" + str(path).replace("/", "\\")


def bring_fonts():
    """Windows' own font of dialogs; Wine has its like in a package and looks for it here."""
    target = PREFIX / "drive_c/windows/Fonts"
    if target.is_dir():
        for font in FONTS.glob("tahoma*.ttf"):
            shutil.copyfile(font, target / font.name)


def settled_screen(program, folder):
    """What went wrong, or None once the screen is painted and has been the same for five seconds; and the screen."""
    deadline = time.monotonic() + SECONDS_TO_OPEN
    last, since = None, 0.0
    while True:
        screen = start_up.read_screen(folder)
        if program.poll() is not None:
            return f"the program ended by itself with status {program.returncode}", screen
        if screen != last:
            last, since = screen, time.monotonic()
        elif time.monotonic() - since > 5 and start_up.is_painted(screen[2]):
            return None, screen
        if time.monotonic() > deadline:
            return f"the screen was blank or changed for {SECONDS_TO_OPEN} s", screen
        time.sleep(0.5)


def start(weighbridge, model, environment, screen_folder, picture):
    program = subprocess.Popen([str(WINE), weighbridge, *([dos(model)] if model else [])], env=environment)
    try:
        error, screen = settled_screen(program, screen_folder)
    finally:
        start_up.stop(program)
    start_up.write_png(picture, *screen)
    return [f"weighbridge.exe: {error}"] if error else []


def take(screenshots, look, model, environment, folder):
    wanted = VIEWS if model else [view for view in VIEWS if not view.startswith(("inspect", "convert", "chat"))]
    words = [dos(folder), *([dos(model)] if model else []), "--views", ",".join(wanted), "--looks", look]
    done = subprocess.run([str(WINE), screenshots, *words], env=environment, timeout=SECONDS_TO_TAKE, check=False)
    errors = [f"{look}: status {done.returncode}"] if done.returncode else []
    # A picture of one color would be a few hundred bytes.
    small = [view for view in wanted if not (path := folder / f"{view}-{look}.png").is_file() or path.stat().st_size < 10000]
    return errors + [f"{look}: no picture of {view}" for view in small]


def main():
    folder, weighbridge, screenshots = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    model = STARTER if STARTER.is_file() else None
    bring_fonts()
    with tempfile.TemporaryDirectory() as screen_folder:
        server, display = start_up.start_x_server(screen_folder)
        if not display:
            sys.exit("Xvfb did not start")
        environment = {**os.environ, "DISPLAY": f":{display}"}
        try:
            errors = start(weighbridge, model, environment, screen_folder, folder / "opened.png")
            for look in LOOKS:
                errors += take(screenshots, look, model, environment, folder)
        finally:
            start_up.stop(server)
    print(*(errors or [f"{len(list(folder.glob('*.png')))} pictures lie in {folder}"]), sep="\n")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
