// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/value.h"

#include <string>
#include <string_view>

// The part of YAML 1.2 that people write as configuration: mappings and sequences by indentation or in brackets on one line, plain
// and quoted scalars, comments. Anchors, tags, block scalars (| and >), several documents and tabs as indentation are refused.
namespace wb::yaml {

inline constexpr std::size_t maxText = 1 << 20;
inline constexpr unsigned maxDepth = 32;

// The tree of a text: objects, arrays, strings, and null, Booleans and numbers where a plain scalar is one (true, false, null, ~,
// 12, -0.5, 1e-3). An empty text is null. Malformed with `name` and the line, TooLarge.
Result<Value> parse(std::string_view text, const std::string& name);

// A scalar that reads back as this string.
std::string quoted(std::string_view text);

} // namespace wb::yaml
