// SPDX-License-Identifier: MIT
#include "core/text/grammar/grammar.h"
#include "core/text/grammar/json_schema.h"

#include <cstdint>
#include <cstdlib>

// What comes of a schema is a grammar, unless it is too large or holds itself without a value between.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto source = wb::text::grammarOfSchema({reinterpret_cast<const char*>(data), size}, "input.json");
    if (!source) return 0;
    const auto grammar = wb::text::Grammar::parse(*source, "input.json");
    if (grammar || grammar.error().code == wb::ErrorCode::TooLarge) return 0;
    if (grammar.error().reason != wb::Reason("grammar.left_recursion")) std::abort();
    return 0;
}
