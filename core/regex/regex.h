// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct pcre2_real_code_8;

namespace wb::regex {

// Longer patterns are refused.
inline constexpr std::size_t maxPatternBytes = 4096;

struct Options {
    bool caseless = false;
    // Characters are those of UTF-8; bytes that are not UTF-8 match nothing. Otherwise each byte is a character, as for std::regex.
    bool utf = true;
    // How far one search may backtrack. 20,000 steps take less than a millisecond.
    std::uint32_t maxSteps = 20'000;
    // The pattern is ours and written for PCRE2, the texts are known to be UTF-8: no rules of ECMAScript, no check of the text.
    bool isTrusted = false;
};

enum class Found : std::uint8_t { No, Yes, GaveUp };

struct Match {
    std::size_t begin = 0; // bytes of the text
    std::size_t end = 0;
};

// A regular expression in PCRE2's syntax that stops after a fixed number of steps, so that no pattern can block the program. Where
// ECMAScript (llama-quantize's std::regex) reads the same text differently, it is read as there: $ is the end of the text only, []
// matches nothing, \uHHHH is a character, a back reference to a group that took no part is empty. Thread-safe.
class Regex {
public:
    // The reason in English where the pattern is not valid.
    static std::expected<Regex, std::string> compile(std::string_view pattern, Options options = {});

    Found search(std::string_view text) const;
    // The first match that starts at `from` or after it; empty also where the search gave up.
    std::optional<Match> find(std::string_view text, std::size_t from = 0) const;

private:
    Regex() = default;
    int run(std::string_view text, std::size_t from, Match& match) const;

    std::size_t nextBegin(std::string_view text, std::size_t from) const;

    std::shared_ptr<pcre2_real_code_8> m_code;
    const std::uint8_t* m_firstBytes = nullptr; // in m_code: a bit for each byte that a match may start with; null: any
    std::uint32_t m_maxSteps = 0;
    std::uint32_t m_matchFlags = 0;
};

} // namespace wb::regex
