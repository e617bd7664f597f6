// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"

#include <string>
#include <string_view>
#include <vector>

// What is in a chat template, determined without running it (docs/reference/safety.md, "Chat templates"). A template is a program
// of the model's author that runs on every message.
namespace wb::scan {

struct TemplateRemark {
    Severity severity = Severity::Note;
    Reason rule;
    const char* sentence = "";          // its first field is the name of the template
    std::vector<std::string> arguments; // those after it; the first is the line, from 1
};

inline constexpr Reason templateEscape{"template.escape"};

// The findings of the rules in README.md, each rule at its first place. Code is tokenized with the renderer's lexer; where the
// source cannot be read so, its text as a whole is searched for the ways into Python.
std::vector<TemplateRemark> lintTemplate(std::string_view source);

} // namespace wb::scan
