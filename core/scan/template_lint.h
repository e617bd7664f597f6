// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"

#include <string>
#include <string_view>
#include <vector>

// What stands in a chat template, told without running it (docs/reference/safety.md, "Chat templates"). A template is a program of
// the model's author that runs on every message.
namespace wb::scan {

struct TemplateRemark {
    Severity severity = Severity::Note;
    Reason rule;
    const char* sentence = "";          // its first field is the name of the template
    std::vector<std::string> arguments; // those after it; the first is the line, from 1
};

inline constexpr Reason templateEscape{"template.escape"};

// What the rules of README.md find, each rule at its first place. Code is read token by token as the renderer reads it; where the
// source cannot be read so, its text as a whole is searched for the ways into Python.
std::vector<TemplateRemark> lintTemplate(std::string_view source);

} // namespace wb::scan
