// SPDX-License-Identifier: MIT
#include "core/formats/pickle/opcodes.h"

#include "core/formats/pickle/opcodes_list.h"
#include "core/formats/pickle/table_rows.h"

#include <algorithm>
#include <charconv>

namespace wb::pickle {
namespace {

Argument argumentFromText(std::string_view text) {
    static constexpr std::array<std::string_view, 10> names = {"none", "line", "lines",    "1",        "2",
                                                               "4",    "8",    "counted1", "counted4", "counted8"};
    return static_cast<Argument>(std::ranges::find(names, text) - names.begin());
}

std::array<Opcode, 256> readTable() {
    std::array<Opcode, 256> table{};
    for (const auto& [byte, name, protocol, argument, isWeightsOnly] : tableRows<5>(opcodesList)) {
        unsigned code = 0;
        std::from_chars(byte.data(), byte.data() + byte.size(), code, 16);
        table[code & 0xFF] = {name, static_cast<std::uint8_t>(protocol[0] - '0'), argumentFromText(argument),
                              isWeightsOnly == "yes"};
    }
    return table;
}

} // namespace

const std::array<Opcode, 256>& opcodes() {
    static const std::array<Opcode, 256> table = readTable();
    return table;
}

} // namespace wb::pickle
