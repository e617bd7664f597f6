// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/utf8.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::infer {

// The text of an answer as it grows: tokens bring bytes, which need not be complete characters; what leaves is complete characters
// only and holds nothing that may start a stop string.
class TextStream {
public:
    explicit TextStream(std::vector<std::string> stopStrings);

    // Adds bytes and answers what can be shown now. Nothing more is added once found().
    std::string add(std::string_view bytes);

    // What was held back, when no more bytes come; an incomplete character is dropped.
    std::string finish();

    // The stop string that ended the text; empty: none yet.
    const std::string& found() const { return m_found; }

private:
    std::string release(std::size_t count);

    std::vector<std::string> m_stops;
    text::Utf8Stream m_characters;
    std::string m_held; // whole characters that are not shown yet
    std::string m_found;
};

} // namespace wb::infer
