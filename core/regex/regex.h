// SPDX-License-Identifier: MIT
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

struct pcre2_real_code_8;

namespace wb::query {

// A regular expression in PCRE2's syntax that searches in either case and gives up after a fixed number of steps, so that no
// pattern somebody typed can hang the window. Thread-safe.
class Regex {
public:
    // The reason in English where the pattern is not valid.
    static std::expected<Regex, std::string> compile(std::string_view pattern);

    bool search(std::string_view text) const;

private:
    Regex() = default;
    std::shared_ptr<pcre2_real_code_8> m_code;
};

} // namespace wb::query
