// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/jinja/value.h"

namespace wb::text::jinja {

inline constexpr unsigned maxJsonDepth = 200;

// A JSON text as a value of a template, every string and key of it literal but the well-known roles; empty where it is not JSON or
// nested deeper than maxJsonDepth. Integers beyond 64 bits become floats.
std::optional<Value> valueOfJson(std::string_view text);

} // namespace wb::text::jinja
