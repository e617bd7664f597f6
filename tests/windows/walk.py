#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses wb.exe in Wine as somebody who has just installed it would, with paths of Windows and names in Chinese.

walk.py WB.EXE: results are compared with the reference data of WEIGHBRIDGE_SHARED and, where the program for Linux has been built
(build/release/bin/wb, or WEIGHBRIDGE_NATIVE_WB), with its.
"""
import hashlib
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WINE = ROOT / "tests/windows/wine.sh"
SHARED = pathlib.Path(os.environ.get("WEIGHBRIDGE_SHARED", ROOT / "../shared")).resolve()
NATIVE = pathlib.Path(os.environ.get("WEIGHBRIDGE_NATIVE_WB", ROOT / "build/release/bin/wb"))
PREFIX = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "weighbridge/windows/wine"
STORIES = SHARED / "corpus/llm/stories260K.gguf"
STARTER = PREFIX.parents[1] / "models/SmolLM2-135M-Instruct.Q4_1.gguf"
PROGRAM = ""


def dos(path):
    """A path of this machine as Wine's drive Z: has it."""
    return "Z:" + str(path).replace("/", "\\")


def command(*words):
    return [str(WINE), PROGRAM, *map(str, words)]


def wb(*words, stdin=subprocess.DEVNULL):
    """What wb.exe answers: status, stdout as bytes, stderr as text."""
    done = subprocess.run(command(*words), stdin=stdin, capture_output=True, timeout=280, check=False)
    return done.returncode, done.stdout, done.stderr.decode("utf-8")


def native(*words):
    return subprocess.run([str(NATIVE), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, timeout=280, check=False)


def without_paths(value):
    """A JSON document without what differs by where the file is, and when and how fast it was read."""
    if isinstance(value, dict):
        return {key: without_paths(member) for key, member in value.items() if key != "path" and "second" not in key}
    return [without_paths(member) for member in value] if isinstance(value, list) else value


class OnTerminal:
    """wb.exe on a terminal of its own."""

    def __init__(self, *words):
        self.terminal, inner = pty.openpty()
        mode = termios.tcgetattr(inner)  # the console reads keys: a line would end in Ctrl+J, but Ctrl+C stays a signal
        mode[0] &= ~termios.ICRNL
        mode[3] &= ~(termios.ECHO | termios.ICANON)
        termios.tcsetattr(inner, termios.TCSANOW, mode)
        self.process = subprocess.Popen(command(*words), stdin=inner, stdout=inner, stderr=inner, start_new_session=True)
        os.close(inner)
        self.text = b""

    def shown(self):
        """What was written without the console's own sequences, which it also puts between letters."""
        return re.sub(rb"\x1b\[[?0-9;]*[A-Za-z]|\x1b\][^\x07]*\x07", b"", self.text)

    def read(self, seconds, until=None):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (until and until in self.shown()):
            if not select.select([self.terminal], [], [], 0.2)[0]:
                if self.process.poll() is not None:
                    break
                continue
            try:
                self.text += os.read(self.terminal, 65536)
            except OSError:  # the other side is gone
                break
        return self.shown()

    def type(self, text):
        os.write(self.terminal, text)

    def end(self, seconds):
        self.read(seconds)
        status = self.process.wait(seconds)
        os.close(self.terminal)
        return status


class Walk(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="wb-walk-")
        self.folder = pathlib.Path(self.temporary.name) / "模型 文件夹"
        self.folder.mkdir()
        self.model = self.folder / "故事 260K.gguf"
        shutil.copyfile(STORIES, self.model)

    def tearDown(self):
        self.temporary.cleanup()

    def answers(self, *words, status=0):
        """Its stdout, where the status is the expected one and there are no line ends of Windows."""
        got, out, err = wb(*words)
        self.assertEqual(got, status, err)
        self.assertNotIn(b"\r", out)
        return out

    def same_as_native(self, words, path, status=0):
        """The JSON document for `words` and the path, equal to that of Linux."""
        document = json.loads(self.answers(*words, dos(path), "--json", status=status))
        if NATIVE.exists():
            other = native(*words, path, "--json")
            self.assertEqual(other.returncode, status)
            self.assertEqual(without_paths(document), without_paths(json.loads(other.stdout)))
        return document

    def test_help_and_wrong_usage(self):
        text = self.answers("--help")
        for name in (b"inspect", b"quantize", b"generate"):
            self.assertIn(name, text)
        if NATIVE.exists():
            self.assertEqual(text, native("--help").stdout)
        self.answers("--version")
        status, out, err = wb("inspct")
        self.assertEqual((status, out), (2, b""))
        self.assertIn("did you mean wb inspect?", err)

    def test_failure_names_the_file(self):
        status, out, err = wb("inspect", dos(self.folder / "没有.gguf"))
        self.assertEqual((status, out), (1, b""))
        self.assertIn("没有.gguf", err)
        self.assertEqual(err.count("\n"), 1)

    def test_inspect_under_every_spelling(self):
        expected = self.same_as_native(["inspect", "--stats"], self.model)
        self.assertTrue(expected["tensors"])
        unc = PREFIX / "dosdevices/unc/wb-walk" / self.folder.parent.name
        unc.parent.mkdir(parents=True, exist_ok=True)
        unc.symlink_to(self.folder)
        self.addCleanup(unc.unlink)
        deep = self.folder.joinpath(*["长" * 60] * 5)
        deep.mkdir(parents=True)
        shutil.copyfile(self.model, deep / self.model.name)
        self.assertGreater(len(dos(deep)), 260)
        for path in (f"Z:{self.model}", dos(self.model).lower().replace("260k", "260K"), "\\\\?\\" + dos(self.model),
                     f"\\\\wb-walk\\{unc.name}\\{self.model.name}", f"//wb-walk/{unc.name}/{self.model.name}", dos(deep / self.model.name)):
            with self.subTest(path=path):
                found = json.loads(self.answers("inspect", path, "--stats", "--json"))
                self.assertEqual(without_paths(found), without_paths(expected))

    def test_scan(self):
        self.same_as_native(["scan"], self.model)
        dangerous = self.folder / "坏.pkl"
        dangerous.write_bytes(b"cos\nsystem\n(S'echo'\ntR.")
        self.assertEqual(self.same_as_native(["scan"], dangerous, status=4)["verdict"], "dangerous")

    def test_reads_a_format_of_the_worker(self):
        path = next((SHARED / "corpus/keras3").rglob("*.keras"))
        self.assertTrue(self.same_as_native(["inspect", "--sha256"], path)["tensors"])

    def test_quantize_equals_the_reference(self):
        out = self.folder / "结果 Q4_K_M.gguf"
        words = ("quantize", dos(self.model), dos(out), "Q4_K_M", "--device", "cpu")
        self.answers(*words)
        expected = json.loads((SHARED / "golden/quantize_files/expected.json").read_text())["stories260K.gguf"]["Q4_K_M"]
        data = out.read_bytes()
        found = {tensor["name"]: [tensor["dtype"], hashlib.sha256(data[tensor["offset"]:][:tensor["bytes"]]).hexdigest()[:32]]
                 for tensor in json.loads(self.answers("inspect", dos(out), "--json"))["tensors"]}
        self.assertEqual(found, expected)
        status, _, err = wb(*words)
        self.assertEqual(status, 1)
        self.assertIn("--force", err)
        self.answers(*words, "--force")
        self.assertEqual(out.read_bytes(), data)
        self.assertEqual(wb("quantize", dos(self.model), dos(self.model), "Q4_K_M", "--force")[0], 2)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted([self.model.name, out.name]))

    def test_convert_equals_the_reference(self):
        out = self.folder / "模型.gguf"
        self.answers("convert", dos(SHARED / "arch/llama/hf"), dos(out), "--model-name", "Hf")
        self.assertEqual(out.read_bytes(), (SHARED / "arch/llama/model.gguf").read_bytes())
        back = self.folder / "还原"
        self.answers("convert", dos(out), dos(back), "--yes")
        self.assertEqual(json.loads((back / "config.json").read_text())["model_type"], "llama")

    def test_memory(self):
        words = ["memory", "7B", "--context", "8192", "--gpu", "RTX 4090", "--json"]
        found = json.loads(self.answers(*words))
        if NATIVE.exists():
            self.assertEqual(found, json.loads(native(*words).stdout))

    def test_generate(self):
        words = ["--prompt", "从前 Once upon a time", "--max-tokens", "24", "--temperature", "0", "--device", "cpu", "--no-remember"]
        text = self.answers("generate", dos(self.model), *words)
        self.assertGreater(len(text), 20)
        if NATIVE.exists():
            self.assertEqual(text, native("generate", self.model, *words).stdout)

    def test_bytes_on_stdout(self):
        tensor = "token_embd.weight"
        path = self.folder / "张量.npy"
        self.answers("inspect", dos(self.model), "--tensor", tensor, "--export", dos(path))
        status, out, err = wb("inspect", dos(self.model), "--tensor", tensor, "--export", "-")
        self.assertEqual((status, out), (0, path.read_bytes()), err)

    def test_terminal_shows_utf_8(self):
        terminal = OnTerminal("inspect", dos(self.model))
        self.assertIn("故事".encode(), terminal.read(60, until="故事".encode()))
        self.assertEqual(terminal.end(60), 0)

    def test_chat_on_a_terminal(self):
        terminal = OnTerminal("chat", dos(self.model), "--device", "cpu", "--no-remember", "--max-tokens", "8", "--seed", "1")
        self.assertIn(b"> ", terminal.read(60, until=b"> "))
        terminal.type("/save ".encode() + dos(self.folder / "对话.json").encode() + b"\r")
        terminal.type("/quit\r".encode())
        self.assertEqual(terminal.end(60), 0)
        self.assertEqual(json.loads((self.folder / "对话.json").read_text(encoding="utf-8"))["messages"], [])

    def test_interrupt_ends_a_chat(self):
        terminal = OnTerminal("chat", dos(self.model), "--device", "cpu", "--no-remember")
        terminal.read(60, until=b"> ")
        terminal.type(b"\x03")
        self.assertEqual(terminal.end(60), 130)

    @unittest.skipUnless(STARTER.exists(), "the starter model has not been fetched")
    def test_interrupt_leaves_nothing_half_written(self):
        terminal = OnTerminal("quantize", dos(STARTER), dos(self.folder / "大.gguf"), "IQ4_NL", "--allow-requantize", "--device", "cpu",
                              "--threads", "1")
        self.assertIn(b" of ", terminal.read(120, until=b" of "))
        terminal.type(b"\x03")
        self.assertEqual(terminal.end(60), 130)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.suffix == ".gguf"], [self.model.name])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    if not STORIES.exists():
        sys.exit(f"walk.py: there are no reference data in {SHARED}")
    unittest.main()
