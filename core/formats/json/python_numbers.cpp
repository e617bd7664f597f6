// SPDX-License-Identifier: MIT
#include "core/formats/json/json.h"

#include <array>

namespace wb::json {

void takePythonNumbers(std::string& text) {
    static constexpr std::array<std::string_view, 2> words = {"NaN", "Infinity"};
    bool isInString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isInString && text[i] == '\\') ++i;
        else if (text[i] == '"') isInString = !isInString;
        if (isInString || (text[i] != 'N' && text[i] != 'I')) continue;
        for (const std::string_view word : words)
            if (std::string_view(text).substr(i).starts_with(word)) {
                text[i] = '0';
                for (std::size_t j = 1; j < word.size(); ++j) text[i + j] = ' ';
            }
    }
}

} // namespace wb::json
