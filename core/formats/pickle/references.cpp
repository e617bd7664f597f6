// SPDX-License-Identifier: MIT
#include "core/formats/pickle/references.h"

#include "core/formats/pickle/names.h"
#include "core/formats/pickle/opcodes.h"

#include <algorithm>
#include <optional>

namespace wb::pickle {
namespace {

constexpr std::size_t maxNames = 1000;
constexpr std::size_t longest = 100; // of a part of a name

class Reader {
public:
    explicit Reader(std::string_view bytes) : m_bytes(bytes) {}

    // The line at `at`, which moves after its end.
    std::optional<std::string_view> line(std::size_t& at) const {
        const std::string_view rest = m_bytes.substr(std::min(at, m_bytes.size()), longest + 1);
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos || !isNameOfPython(rest.substr(0, end))) return std::nullopt;
        at += end + 1;
        return rest.substr(0, end);
    }

    // A text opcode of at most 255 bytes at `at`, with what puts it into the memo; `at` moves behind both.
    std::optional<std::string_view> text(std::size_t& at) const {
        const std::uint8_t opcode = byte(at);
        const bool isShort = opcode == SHORT_BINUNICODE;
        if (!isShort && opcode != BINUNICODE) return std::nullopt;
        if (!isShort && (byte(at + 2) != 0 || byte(at + 3) != 0 || byte(at + 4) != 0)) return std::nullopt;
        const std::size_t begin = at + (isShort ? 2 : 5), length = byte(at + 1);
        if (begin + length > m_bytes.size() || !isNameOfPython(m_bytes.substr(begin, length))) return std::nullopt;
        at = begin + length;
        if (byte(at) == MEMOIZE) at += 1;
        else if (byte(at) == BINPUT) at += 2;
        else if (byte(at) == LONG_BINPUT) at += 5;
        return m_bytes.substr(begin, length);
    }

    std::uint8_t byte(std::size_t at) const {
        return at < m_bytes.size() ? static_cast<std::uint8_t>(m_bytes[at]) : std::uint8_t{0};
    }

private:
    std::string_view m_bytes;
};

std::optional<FoundName> nameAt(const Reader& reader, std::size_t at) {
    const std::uint8_t opcode = reader.byte(at);
    std::size_t next = at;
    if (opcode == GLOBAL || opcode == INST) {
        ++next;
        const auto module = reader.line(next);
        const auto name = module ? reader.line(next) : std::nullopt;
        if (name) return FoundName{at, std::string(*module), std::string(*name)};
    } else if (const auto module = reader.text(next)) {
        const auto name = reader.text(next);
        if (name && reader.byte(next) == STACK_GLOBAL) return FoundName{at, std::string(*module), std::string(*name)};
    }
    return std::nullopt;
}

} // namespace

bool isNameOfPython(std::string_view text) {
    return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    });
}

std::vector<FoundName> dangerousNamesIn(std::string_view bytes) {
    std::vector<FoundName> found;
    const Reader reader(bytes);
    for (std::size_t at = 0; at < bytes.size() && found.size() < maxNames; ++at)
        if (auto name = nameAt(reader, at); name && globalDangerLevel(name->module, name->name) == DangerLevel::D)
            found.push_back(std::move(*name));
    return found;
}

} // namespace wb::pickle
