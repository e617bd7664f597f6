// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/value.h"

#include <string_view>

namespace wb::npy {

// Reads a Python literal: dictionaries with string keys, tuples, lists, strings, integers, True, False, None
// (docs/reference/formats.md, "Python literals"). No floats, names, calls or operators. Tuples and lists both become
// arrays. Empty where the text is anything else, is nested more than 16 levels deep, or an integer does not fit 64 bits.
std::optional<Value> parseLiteral(std::string_view text);

} // namespace wb::npy
