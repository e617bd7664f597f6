// SPDX-License-Identifier: MIT
#include "core/regex/regex.h"

#include "core/base/thread_object.h"

#include <fmt/format.h>

#include <algorithm>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

namespace wb::regex {
namespace {

constexpr std::uint32_t heapLimitKiB = 1'000;

// Working memory of a search; one a thread, because it is written to.
struct Scratch {
    pcre2_match_context* context = pcre2_match_context_create(nullptr);
    pcre2_match_data* data = pcre2_match_data_create(1, nullptr);
    pcre2_jit_stack* stack = pcre2_jit_stack_create(32 << 10, heapLimitKiB << 10, nullptr); // else long runs end a search

    Scratch() {
        pcre2_set_heap_limit(context, heapLimitKiB);
        pcre2_jit_stack_assign(context, nullptr, stack);
    }
    ~Scratch() {
        pcre2_jit_stack_free(stack);
        pcre2_match_data_free(data);
        pcre2_match_context_free(context);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
};

std::string errorText(int code, std::size_t position) {
    std::array<PCRE2_UCHAR, 256> buffer{};
    pcre2_get_error_message(code, buffer.data(), buffer.size());
    return fmt::format("{} (after {} characters)", reinterpret_cast<const char*>(buffer.data()), position);
}

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

std::uint32_t optionsFlags(const Options& options) {
    if (options.isTrusted) return PCRE2_UTF | PCRE2_NO_UTF_CHECK | (options.caseless ? PCRE2_CASELESS : 0);
    std::uint32_t flags =
        PCRE2_NEVER_BACKSLASH_C | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_ALT_BSUX | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF;
    flags |= options.utf ? PCRE2_UTF | PCRE2_MATCH_INVALID_UTF : PCRE2_NEVER_UTF;
    return options.caseless ? flags | PCRE2_CASELESS : flags;
}

} // namespace

std::expected<Regex, std::string> Regex::compile(std::string_view pattern, Options options) {
    if (pattern.size() > maxPatternBytes) return std::unexpected(fmt::format("longer than {} bytes", maxPatternBytes));
    int error = 0;
    std::size_t position = 0;
    pcre2_code* const code = pcre2_compile(units(pattern), pattern.size(), optionsFlags(options), &error, &position, nullptr);
    if (code == nullptr) return std::unexpected(errorText(error, position));
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); // may be refused by the system; then the interpreter runs
    Regex regex;
    regex.m_code = std::shared_ptr<pcre2_code>(code, pcre2_code_free);
    pcre2_pattern_info(code, PCRE2_INFO_FIRSTBITMAP, &regex.m_firstBytes);
    regex.m_maxSteps = options.maxSteps;
    regex.m_matchFlags = options.isTrusted ? PCRE2_NO_UTF_CHECK : 0;
    return regex;
}

int Regex::run(std::string_view text, std::size_t from, Match& match) const {
    const Scratch& scratch = threadObject<Scratch>();
    pcre2_set_match_limit(scratch.context, m_maxSteps);
    const int result = pcre2_match(m_code.get(), units(text), text.size(), from, m_matchFlags, scratch.data, scratch.context);
    const std::size_t* const place = pcre2_get_ovector_pointer(scratch.data);
    if (result >= 0) match = {place[0], place[1]};
    return result;
}

// Where a match may start first. Most texts that contain none are short, and a call of PCRE2 costs more than to look at their
// bytes.
std::size_t Regex::nextBegin(std::string_view text, std::size_t from) const {
    const auto mayBegin = [this](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (m_firstBytes[byte / 8] >> byte % 8 & 1) != 0;
    };
    return static_cast<std::size_t>(std::find_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), mayBegin) -
                                    text.begin());
}

Found Regex::search(std::string_view text) const {
    Match unused;
    const int result = run(text, 0, unused);
    if (result >= 0) return Found::Yes;
    return result == PCRE2_ERROR_NOMATCH ? Found::No : Found::GaveUp;
}

std::optional<Match> Regex::find(std::string_view text, std::size_t from) const {
    Match match;
    if (from > text.size()) return std::nullopt;
    if (m_firstBytes && (from = nextBegin(text, from)) == text.size()) return std::nullopt;
    if (run(text, from, match) < 0) return std::nullopt;
    return match;
}

} // namespace wb::regex
