// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/formats/pickle/runner.h"

#include <algorithm>
#include <bit>

// The disassembly of a pickle, made while it is followed: bytes that joblib puts between opcodes are in the way of any other.
namespace wb::pickle {
namespace {

constexpr std::size_t maxShown = 120;

std::uint64_t numberAt(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

// Numbers as their opcode takes them: BININT is signed, BINFLOAT starts with its highest byte.
std::string numberText(std::uint8_t opcode, std::string_view bytes) {
    const std::uint64_t value = numberAt(bytes);
    if (opcode == BININT || opcode == EXT4) return std::to_string(static_cast<std::int32_t>(value));
    if (opcode == BINFLOAT) return shortest(std::bit_cast<double>(numberAt(std::string(bytes.rbegin(), bytes.rend()))));
    return std::to_string(value);
}

std::string shownText(std::string_view text) {
    std::string shown = escapeControls(toUtf8(text.substr(0, maxShown)));
    return text.size() > maxShown ? shown + "…" : shown;
}

} // namespace

void Runner::list(const Opcode& opcode, std::uint64_t argument) {
    auto& listing = *m_machine.m_listing;
    if (listing.size() >= Machine::maxListed) return;
    ListedOpcode line{m_position, opcode.name, {}};
    const std::uint64_t end = m_tape.position();
    const auto take = [&](std::uint64_t skipped, std::uint64_t most) {
        const std::uint64_t begin = std::min(argument + skipped, end);
        return m_tape.text(begin, std::min(most, end - begin));
    };
    constexpr std::uint64_t longest = 4 * maxShown;
    switch (opcode.argument) {
    case Argument::None: break;
    case Argument::Line: line.argument = shownText(take(0, longest)); break;
    case Argument::Lines: {
        std::string both(take(0, longest));
        std::ranges::replace(both, '\n', ' ');
        line.argument = shownText(both);
        break;
    }
    case Argument::Bytes1: line.argument = numberText(m_opcode, take(0, 1)); break;
    case Argument::Bytes2: line.argument = numberText(m_opcode, take(0, 2)); break;
    case Argument::Bytes4: line.argument = numberText(m_opcode, take(0, 4)); break;
    case Argument::Bytes8: line.argument = numberText(m_opcode, take(0, 8)); break;
    case Argument::Counted1: line.argument = shownText(take(1, longest)); break;
    case Argument::Counted4: line.argument = shownText(take(4, longest)); break;
    case Argument::Counted8: line.argument = shownText(take(8, longest)); break;
    }
    while (!line.argument.empty() && (line.argument.back() == ' ' || line.argument.back() == '\n')) line.argument.pop_back();
    listing.push_back(std::move(line));
}

} // namespace wb::pickle
