// SPDX-License-Identifier: MIT
#include "core/base/error.h"

namespace wb {

std::string fillSentence(std::string_view format, const std::vector<std::string>& arguments) {
    std::string out;
    std::size_t next = 0;
    while (!format.empty()) {
        const std::size_t open = format.find('{');
        out += format.substr(0, open);
        if (open == std::string_view::npos) break;
        format.remove_prefix(open);
        const bool isNumbered = format.size() > 2 && format[1] >= '0' && format[1] <= '9' && format[2] == '}';
        const std::size_t length = isNumbered ? 3 : format.starts_with("{}") ? 2 : 1;
        const std::size_t index = isNumbered ? static_cast<std::size_t>(format[1] - '0') : length == 2 ? next++ : arguments.size();
        out += index < arguments.size() ? std::string_view(arguments[index]) : format.substr(0, length);
        format.remove_prefix(length);
    }
    return out;
}

Error outOfMemory() {
    return makeError(ErrorCode::TooLarge, Reason("base.out_of_memory"),
                     WB_TEXT("Not enough memory; close other programs or use fewer threads."));
}

Error about(std::string subject, Error error) {
    error.subject = std::move(subject);
    return error;
}

Error named(std::string input, Error error) {
    if (error.subject != input) error.input = std::move(input);
    return error;
}

std::string Error::message() const {
    const std::string sentence = fillSentence(format, arguments);
    return input.empty() ? sentence : fillSentence(inputAndSentence, {input, sentence});
}

} // namespace wb
