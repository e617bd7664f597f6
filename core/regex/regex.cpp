// SPDX-License-Identifier: MIT
#include "core/query/regex.h"

#include <fmt/format.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

namespace wb::query {
namespace {

// One search stays below a millisecond even where the pattern backtracks to the limit.
constexpr std::uint32_t stepLimit = 20'000;
constexpr std::uint32_t heapLimitKiB = 1'000;

// What a search needs besides the pattern; one a thread, because it is written to.
struct Scratch {
    pcre2_match_context* context = pcre2_match_context_create(nullptr);
    pcre2_match_data* data = pcre2_match_data_create(1, nullptr);

    Scratch() {
        pcre2_set_match_limit(context, stepLimit);
        pcre2_set_heap_limit(context, heapLimitKiB);
    }
    ~Scratch() {
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

} // namespace

std::expected<Regex, std::string> Regex::compile(std::string_view pattern) {
    int error = 0;
    std::size_t position = 0;
    constexpr std::uint32_t options = PCRE2_CASELESS | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
    pcre2_code* const code = pcre2_compile(units(pattern), pattern.size(), options, &error, &position, nullptr);
    if (code == nullptr) return std::unexpected(errorText(error, position));
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); // may be refused by the system; then the interpreter runs
    Regex regex;
    regex.m_code = std::shared_ptr<pcre2_code>(code, pcre2_code_free);
    return regex;
}

bool Regex::search(std::string_view text) const {
    thread_local const Scratch scratch;
    return pcre2_match(m_code.get(), units(text), text.size(), 0, 0, scratch.data, scratch.context) >= 0;
}

} // namespace wb::query
