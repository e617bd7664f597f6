// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::text::jinja {

// A string of a template with the stretches of it that came from outside, by the beginning, apart and not empty: what a user wrote
// keeps its mark through concatenation and cutting, so that it never spells a special token.
struct Text {
    std::string bytes; // valid UTF-8
    std::vector<Stretch> literal;
    bool isMarkup = false; // went through |safe

    static Text of(std::string bytes) { return {std::move(bytes), {}, false}; }
    static Text literalText(std::string bytes);

    void append(const Text& other);
    void append(std::string_view other) { bytes += other; }
    Text cut(std::size_t begin, std::size_t end) const; // bytes [start, end), with their marks and isMarkup
    Text changed(std::string result) const;             // another text made of this one: literal as a whole where a part of this is
};

} // namespace wb::text::jinja
