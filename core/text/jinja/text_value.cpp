// SPDX-License-Identifier: MIT
#include "core/text/jinja/text_value.h"

#include <algorithm>

namespace wb::text::jinja {

Text Text::literalText(std::string bytes) {
    Text text{std::move(bytes), {}, false};
    if (!text.bytes.empty()) text.literal.push_back({0, text.bytes.size()});
    return text;
}

void Text::append(const Text& other) {
    const std::size_t offset = bytes.size();
    bytes += other.bytes;
    for (const Stretch& stretch : other.literal) {
        const Stretch moved{stretch.begin + offset, stretch.end + offset};
        if (!literal.empty() && literal.back().end == moved.begin) literal.back().end = moved.end;
        else literal.push_back(moved);
    }
}

Text Text::cut(std::size_t begin, std::size_t end) const {
    Text out{bytes.substr(begin, end - begin), {}, isMarkup};
    for (const Stretch& stretch : literal) {
        const std::size_t from = std::max(stretch.begin, begin);
        const std::size_t to = std::min(stretch.end, end);
        if (from < to) out.literal.push_back({from - begin, to - begin});
    }
    return out;
}

Text Text::changed(std::string result) const {
    Text out = literal.empty() ? of(std::move(result)) : literalText(std::move(result));
    out.isMarkup = isMarkup;
    return out;
}

} // namespace wb::text::jinja
