#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The check itself is checked: it finds names of families in literals and identifiers, and nothing else."""
import pathlib
import tempfile
import unittest

import families

KNOWN = {"gemma3", "qwen2_moe", "phi3", "clip", "GemmaForCausalLM", "command-r"}


def found(text, words=frozenset({"clip", "command"})):
    return [what for _, what in families.problems(text, KNOWN, set(words))]


class Families(unittest.TestCase):
    def test_literals(self):
        self.assertEqual(found('if (a == "gemma3") return;'), ['"gemma3"'])
        self.assertEqual(found('f("one qwen2_moe, command-r");'), ['"qwen2_moe"', '"command-r"'])
        self.assertEqual(found('f(R"(["GemmaForCausalLM"])");'), ['"GemmaForCausalLM"'])
        self.assertEqual(found('f("gemma3.cpp", "gemmas", "clip", "commander");'), [])

    def test_identifiers(self):
        self.assertEqual(found("bool isGemma(); int phi3Rules; Gemma4 x; qwenLayers();"), ["isGemma", "phi3Rules", "Gemma4", "qwenLayers"])
        self.assertEqual(found("clipArea(); dilemma(); runCommand(); amphi3();"), [])

    def test_comments_and_numbers(self):
        self.assertEqual(found("// gemma3 and isGemma\n/* phi3\n */ 1'000; 'q'; f();"), [])

    def test_lines(self):
        self.assertEqual(list(families.problems('\n\nf("phi3");', KNOWN, set())), [(3, '"phi3"')])

    def test_words_that_are_exceptions(self):
        self.assertEqual(found("Runtime::GemmaRunner;", {"gemmarunner"}), [])
        self.assertEqual(found("Runtime::GemmaRules;", {"gemmarunner"}), ["GemmaRules"])

    def test_names_of_records(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / families.RECORDS).mkdir(parents=True)
            (root / families.RECORDS / "a.cpp").write_text(
                '{.architecture = "one-x", .modelTypes = {{"one"}, {.name = "two", .preTokenizer = {"F01", "three"}}},'
                ' .folders = {{.classes = {"OneForCausalLM", "TwoLMHeadModel"}, .layer = {}}}}',
                encoding="utf-8",
            )
            self.assertEqual(families.names(root), {"one-x", "one", "two", "OneForCausalLM", "TwoLMHeadModel"})

    def test_exceptions(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "exceptions.txt"
            path.write_text("# nothing\nfile a/b.cpp\nin c.cpp x y\nwords z\n", encoding="utf-8")
            self.assertEqual(families.exceptions(path), ({"a/b.cpp"}, {"c.cpp": {"x", "y"}}, {"z"}))


if __name__ == "__main__":
    unittest.main()
