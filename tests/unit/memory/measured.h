// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/subject.h"

#include <map>
#include <string>
#include <vector>

namespace wb::test {

// The rows of a table of tests/data/memory by the titles of its columns. A test fails where there are none.
std::vector<std::map<std::string, std::string>> table(const char* file);

// A model that somebody measured: one of the table of shapes, or one of those that only these runs have.
memory::Subject measuredModel(const std::string& name);

} // namespace wb::test
