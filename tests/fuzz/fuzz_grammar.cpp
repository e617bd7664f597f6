// SPDX-License-Identifier: MIT
#include "core/text/grammar/grammar.h"

#include <cstdint>
#include <cstdlib>

// Whatever the text, it is a grammar or one sentence; of a grammar every symbol points to something.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto grammar = wb::text::Grammar::parse({reinterpret_cast<const char*>(data), size}, "input.gbnf");
    if (!grammar) return 0;
    for (const wb::text::GrammarSymbol& symbol : grammar->symbols()) {
        if (symbol.kind == wb::text::SymbolKind::Rule && symbol.value >= grammar->rules().size()) std::abort();
        if (symbol.kind == wb::text::SymbolKind::Class && symbol.value >= grammar->classes().size()) std::abort();
    }
    for (const auto& rule : grammar->rules())
        for (const std::uint32_t begin : rule)
            if (begin >= grammar->symbols().size()) std::abort();
    return 0;
}
