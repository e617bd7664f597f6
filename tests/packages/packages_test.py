#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The check of packages finds what it must find, and nothing else."""
import pathlib
import tempfile
import unittest

import packages

TABLE = "run libfmt-dev vcpkg:fmt brew:fmt text\nrun zlib1g-dev vcpkg:zlib brew:- members\nrun ccache faster\n"
PAGE = "    vcpkg install --triplet x64-windows fmt zlib\n    brew install fmt\n"
WORKFLOW = "      - run: vcpkg install --triplet x64-windows $(./dev packages vcpkg)\n      - run: brew install $(./dev packages brew)\n"


class Packages(unittest.TestCase):
    def found(self, table=TABLE, page=PAGE, workflow=WORKFLOW, cmake="wb_find(fmt libfmt-dev)\n"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in (("packages.txt", table), ("docs/install.md", page), (".github/workflows/a.yml", workflow), ("core/CMakeLists.txt", cmake)):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return packages.problems(root)

    def test_accepts_what_agrees(self):
        self.assertEqual(self.found(), [])

    def test_rejects_rows_that_are_wrong(self):
        self.assertEqual(self.found(TABLE + "run ccache again\n"), ["packages.txt:4: ccache is listed twice"])
        self.assertEqual(self.found(TABLE + "ran sed text\n"), ["packages.txt:4: no group is named ran"])
        self.assertEqual(self.found(TABLE + "test libgtest-dev brew:- tests\n"), ["packages.txt:4: libgtest-dev has no name for vcpkg"])

    def test_rejects_a_document_that_differs(self):
        self.assertEqual(self.found(page=PAGE.replace(" zlib", " xz")),
                         ["docs/install.md:1: xz is not in packages.txt", "docs/install.md:1: zlib is missing"])
        self.assertEqual(self.found(page=PAGE.replace("brew", "port")), ["docs/install.md:1: does not say what brew is to install"])

    def test_rejects_a_workflow_with_its_own_list(self):
        self.assertEqual(self.found(workflow="\n- run: brew install fmt\n"),
                         [".github/workflows/a.yml:2: installs without ./dev packages brew"])

    def test_rejects_a_sentence_with_an_unknown_package(self):
        self.assertEqual(self.found(cmake="\nwb_find(fmt fmt-dev)\n"), ["core/CMakeLists.txt:2: fmt-dev is not in packages.txt"])


if __name__ == "__main__":
    unittest.main()
