#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The check itself is checked: each rule lets the right include pass and catches the wrong one."""
import os
import subprocess
import sys
import tempfile
import unittest

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "arrows.py")


def run(files):
    """Exit status and output of the check over a tree that holds only `files`, {path: text}."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([sys.executable, CHECK, "--root", root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


class Arrows(unittest.TestCase):
    def allowed(self, path, include):
        status, output = run({path: f"#include {include}\n"})
        self.assertEqual(status, 0, output)

    def refused(self, path, include):
        status, output = run({path: f"// first line\n#include {include}\n"})
        self.assertEqual(status, 1, output)
        self.assertIn(f"{path}:2:", output)

    def test_core_goes_only_left(self):
        self.allowed("core/stats/a.cpp", '"core/model/model.h"')
        self.refused("core/model/a.cpp", '"core/stats/stats.h"')
        self.refused("core/io/a.cpp", '"core/jobs/thread_pool.h"')  # the same column
        self.refused("core/arch/a.cpp", '"core/formats/gguf/gguf.h"')

    def test_inside_formats(self):
        self.allowed("core/formats/gguf/a.cpp", '"core/formats/options.h"')
        self.allowed("core/formats/gguf/a.cpp", '"core/formats/json/json.h"')
        self.allowed("core/formats/huggingface/a.cpp", '"core/formats/safetensors/safetensors.h"')
        self.allowed("core/formats/open.cpp", '"core/formats/huggingface/huggingface.h"')
        self.refused("core/formats/gguf/a.cpp", '"core/formats/safetensors/safetensors.h"')
        self.refused("core/formats/gguf/a.cpp", '"core/formats/open.h"')

    def test_big_rooms(self):
        self.allowed("ui/shell/a.cpp", '"core/base/result.h"')
        self.allowed("app/cli/a.cpp", '"core/base/result.h"')
        self.allowed("ui/widgets/a.cpp", '"gpu/imview/view.h"')
        self.refused("ui/inspect/a.cpp", '"gpu/imview/view.h"')
        self.refused("ui/shell/a.cpp", '"app/window/main.h"')
        self.refused("core/base/a.cpp", '"ui/shell/tab.h"')
        self.refused("app/cli/a.cpp", '"ui/shell/tab.h"')

    def test_libraries(self):
        self.allowed("ui/shell/a.cpp", "<QWidget>")
        self.refused("core/base/a.cpp", "<QString>")
        self.refused("core/base/a.cpp", "<vulkan/vulkan.h>")
        self.refused("gpu/device/a.cpp", "<QtCore/QString>")

    def test_reserved_names(self):
        status, output = run({"app/net/a.cpp": "int a;\nstd::condition_variable_any wake;\n"})
        self.assertEqual(status, 1, output)
        self.assertIn("app/net/a.cpp:2: only core/jobs/stop_wait.h may use std::condition_variable_any", output)
        status, output = run({"core/jobs/stop_wait.h": "std::stop_callback c;\n", "app/net/a.cpp": "// a std::stop_callback\n"})
        self.assertEqual(status, 0, output)

    def test_includes_from_beside_are_followed(self):
        status, output = run({"core/base/a.cpp": '#include "../io/b.h"\n', "core/io/b.h": ""})
        self.assertEqual(status, 1, output)
        status, output = run({"core/io/a.cpp": '#include "b.h"\n', "core/io/b.h": ""})
        self.assertEqual(status, 0, output)

    def test_a_room_without_a_place_is_refused(self):
        self.refused("core/cellar/a.cpp", '"core/base/result.h"')

    def test_an_empty_tree_is_refused(self):
        self.assertEqual(run({})[0], 1)


if __name__ == "__main__":
    unittest.main()
