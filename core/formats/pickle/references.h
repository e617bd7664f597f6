// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb::pickle {

// Letters, digits, underscores and dots, at least one and at most 100: what a module or a name in it is made of in practice.
bool isNameOfPython(std::string_view text);

struct FoundName {
    std::uint64_t position = 0; // of the opcode
    std::string module;
    std::string name;
};

// Names of level D that bytes refer to by the form of GLOBAL, INST and STACK_GLOBAL alone (python/cpython: Lib/pickle.py), for
// bytes that cannot be followed opcode by opcode. At most 1000.
std::vector<FoundName> dangerousNamesIn(std::string_view bytes);

} // namespace wb::pickle
