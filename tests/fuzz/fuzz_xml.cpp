// SPDX-License-Identifier: MIT
// The XML scanner must end, and its depth is the number of open elements.
#include "core/formats/xml/xml.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace wb::xml;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)rootName(text);
    Scanner scanner(text);
    std::size_t depth = 0;
    for (std::size_t tokens = 0;; ++tokens) {
        const Token token = scanner.next();
        if (token == Token::Finish || token == Token::Bad) return 0;
        if (token == Token::Begin) ++depth;
        if (token == Token::End) --depth;
        if (scanner.depth() != depth || depth > Scanner::greatestDepth || tokens > 2 * size) std::abort();
    }
}
