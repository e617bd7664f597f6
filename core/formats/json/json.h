// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/result.h"
#include "core/formats/json/scanner.h"
#include "core/formats/options.h"
#include "core/io/byte_source.h"
#include "core/model/value.h"

namespace wb::json {

// Notable contents of a text; positions are bytes of the text.
struct Notes {
    std::optional<std::size_t> duplicateKey; // the second of two equal keys in one object; both members are kept
    std::optional<std::size_t> tooMany;      // here something was omitted beyond the rules below: keptValues, or a very long string
};

// How many values one text may leave behind, so that a few bytes of "[[],[],…" cannot cost gigabytes.
inline constexpr std::uint64_t keptValues = 200'000;

// The value that starts with the scanner's present token, which becomes the value's last one; empty where the text is Bad.
// Integers become I64 (negative) or U64, all other numbers F64. Arrays and objects longer than limits.keptJsonMembers keep their
// first limits.keptFirstElements only, strings longer than limits.keptStringBytes their beginning.
std::optional<Value> readValue(Scanner& scanner, const formats::Limits& limits, Notes& notes);

// A whole text. `name` is the file's, relative to the model's folder, for the sentences. Malformed, TooLarge; what can be read all
// the same (duplicate keys, bytes that are not UTF-8, parts not kept) is added to `problems`.
Result<Value> parse(std::string_view text, const std::string& name, const formats::Limits& limits, std::vector<Problem>& problems);

// The same for a whole file of at most limits.jsonText bytes.
Result<std::string> readText(const io::ByteSource& source, const std::string& name, const formats::Limits& limits);
Result<Value> readFile(const io::ByteSource& source, const std::string& name, const formats::Limits& limits,
                       std::vector<Problem>& problems);

// Python reads and writes NaN, Infinity and -Infinity, which are not JSON. Where they stand outside of strings they become 0 of the
// same length, so that a text that Python reads can be walked and positions in it stay.
void takePythonNumbers(std::string& text);

} // namespace wb::json
