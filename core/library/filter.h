// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/listing.h"

#include <string>
#include <string_view>

namespace wb::library {

// The searched fields of a model: id, name, format, architecture, type, license and store of an entry, in small letters.
std::string searchText(const Entry& entry, const Store& store);

// Whether every word of `filter`, separated by blanks, is part of that text, in either case. No words match everything.
bool matchesFilter(std::string_view searched, std::string_view filter);

} // namespace wb::library
