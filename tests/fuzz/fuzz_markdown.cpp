// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/text/markdown.h"
#include "core/text/reasoning.h"

#include <cstdint>
#include <cstdlib>

namespace {

void check(const std::vector<wb::text::Inline>& runs) {
    for (const wb::text::Inline& run : runs)
        if (!wb::isUtf8(run.text) || !wb::isUtf8(run.link)) std::abort();
}

} // namespace

// Any answer becomes blocks of valid text within the bounds, and tables with rows of equal length.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = wb::toUtf8({reinterpret_cast<const char*>(data), size});
    const wb::text::Reasoned parts = wb::text::splitReasoning(text);
    for (const wb::text::Block& block : wb::text::parseMarkdown(parts.answer)) {
        if (block.indent > wb::text::greatestIndent || block.quotes > wb::text::greatestIndent) std::abort();
        check(block.runs);
        for (const auto& row : block.table) {
            if (row.size() != block.table.front().size()) std::abort();
            for (const wb::text::Cell& cell : row) check(cell.runs);
        }
    }
    return 0;
}
