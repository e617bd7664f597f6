// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/jinja/value.h"

namespace wb::text::jinja {

std::int64_t characterCount(const std::string& text);

// So many characters in front of the text and after it; numbers below 1: none.
Text padded(const Text& text, std::int64_t before, std::int64_t behind, std::string_view fill, Meter& meter);

// The first `count` characters.
Text shortened(const Text& text, std::int64_t count);

// Python's format(value, spec): [[fill]align][sign][#][0][width][, or _][.precision][type].
Text formattedBySpec(const Value& value, std::string_view spec, Meter& meter);

} // namespace wb::text::jinja
