// SPDX-License-Identifier: MIT
#include "core/base/error.h"

namespace wb {

std::string fillSentence(std::string_view format, const std::vector<std::string>& arguments) {
    std::string out;
    std::size_t next = 0;
    while (!format.empty()) {
        const std::size_t field = format.find("{}");
        out += format.substr(0, field);
        if (field == std::string_view::npos) break;
        out += next < arguments.size() ? arguments[next++] : "{}";
        format.remove_prefix(field + 2);
    }
    return out;
}

std::string Error::message() const { return fillSentence(format, arguments); }

} // namespace wb
