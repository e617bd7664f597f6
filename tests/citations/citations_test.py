#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The check of citations finds what it must find, and nothing else."""
import pathlib
import tempfile
import unittest

import citations


class Citations(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "docs/reference").mkdir(parents=True)
        (self.root / "docs/reference/page.md").write_text("# Page\n\n## One heading\n\n### Other\n", encoding="utf-8")

    def tearDown(self):
        self.folder.cleanup()

    def found(self, text):
        path = self.root / "file.h"
        path.write_text(text, encoding="utf-8")
        return [f"{line}: {message}" for line, message in citations.problems(self.root, path)]

    def test_accepts_existing_pages_and_headings(self):
        self.assertEqual(self.found('// See docs/reference/page.md, "One heading" and "Other".\n'), [])
        self.assertEqual(self.found('// See docs/reference/page.md,\n// "One\n    // heading".\n'), [])

    def test_leaves_documents_of_public_repositories_alone(self):
        self.assertEqual(self.found("// (git-lfs/git-lfs: docs/spec.md).\n"), [])

    def test_rejects_a_missing_page(self):
        self.assertEqual(self.found("\n// docs/reference/none.md\n"), ["2: cites docs/reference/none.md, which does not exist"])

    def test_rejects_a_missing_heading(self):
        self.assertEqual(self.found('// docs/reference/page.md, "Nothing"\n'),
                         ['1: cites the heading "Nothing", which docs/reference/page.md does not have'])

    def test_rejects_documents_outside_the_repository(self):
        self.assertEqual(self.found("// (specs/formats.md 3.2)\n"), ["1: cites specs/formats.md, which is not in the repository"])
        self.assertEqual(self.found("// DESIGN.md 5\n"), ["1: cites DESIGN.md, which is not in the repository"])


if __name__ == "__main__":
    unittest.main()
