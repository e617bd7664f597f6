#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command that ./dev lists has a function and a help text of its own, and every function is there once."""
import collections
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (ROOT / "dev").read_text(encoding="utf-8")
FUNCTIONS = collections.Counter(re.findall(r"^(\w+)\(\) ", TEXT, re.MULTILINE))
COMMANDS = re.search(r"^(run \| [a-z| -]+)\)$", TEXT, re.MULTILINE)[1].split(" | ")


def run(*words):
    return subprocess.run([ROOT / "dev", *words], capture_output=True, text=True, check=False, timeout=30)


class Dev(unittest.TestCase):
    def test_every_command_is_listed_and_has_a_function(self):
        listed = re.findall(r"^  ([a-z-]+)  +\S", run("--help").stdout, re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(COMMANDS))
        for command in COMMANDS:
            self.assertIn("test_" if command == "test" else command.replace("-", "_"), FUNCTIONS)

    def test_help_is_about_its_command_and_starts_nothing(self):
        for command in COMMANDS:
            text = run(command, "--help")
            self.assertEqual((text.returncode, text.stderr), (0, ""), command)
            self.assertTrue(text.stdout.startswith(f"./dev {command}"), command)

    def test_no_function_is_defined_twice(self):
        self.assertEqual({name for name, count in FUNCTIONS.items() if count > 1}, set())

    def test_an_unknown_command_is_refused(self):
        self.assertEqual(run("dance").returncode, 2)


if __name__ == "__main__":
    unittest.main()
