// SPDX-License-Identifier: MIT
#include "core/base/error.h"

namespace wb {
namespace {

// The text after a field, in the number of the field's argument: core/base/counts.h.
std::string inNumber(std::string_view text, const std::string& argument) {
    constexpr std::string_view plural = "(s)";
    std::string out;
    for (std::size_t at = text.find(plural); at != std::string_view::npos; at = text.find(plural)) {
        out += text.substr(0, at);
        if (argument != "1") out += 's';
        text.remove_prefix(at + plural.size());
    }
    return out.append(text);
}

} // namespace

std::string fillSentence(std::string_view format, const std::vector<std::string>& arguments) {
    std::string out;
    std::size_t next = 0;
    const std::string* last = nullptr; // the argument before
    while (!format.empty()) {
        const std::size_t open = format.find('{');
        if (last != nullptr) out += inNumber(format.substr(0, open), *last);
        else out += format.substr(0, open);
        if (open == std::string_view::npos) break;
        format.remove_prefix(open);
        const bool isNumbered = format.size() > 2 && format[1] >= '0' && format[1] <= '9' && format[2] == '}';
        const std::size_t length = isNumbered ? 3 : format.starts_with("{}") ? 2 : 1;
        const std::size_t index = isNumbered ? static_cast<std::size_t>(format[1] - '0') : length == 2 ? next++ : arguments.size();
        out += index < arguments.size() ? std::string_view(arguments[index]) : format.substr(0, length);
        if (index < arguments.size()) last = &arguments[index];
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
