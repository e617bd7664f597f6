// SPDX-License-Identifier: MIT
#include "core/model/fragments.h"

#include <array>

namespace wb {
namespace {

// Of two that fit a text the first is meant.
constexpr std::array formats = {fragment::missingChunks,
                                fragment::filteredChunks,
                                fragment::chunks,
                                fragment::neverWritten,
                                fragment::parts,
                                fragment::pieces,
                                fragment::oneValue,
                                fragment::direction,
                                fragment::sparse,
                                fragment::graphTensor,
                                fragment::scales,
                                fragment::scalesAndZeros,
                                fragment::quantizedTensor,
                                fragment::quantizedChannels,
                                fragment::scale,
                                fragment::quantized,
                                fragment::filter,
                                fragment::removedType,
                                fragment::forkType,
                                fragment::unknownType,
                                fragment::component,
                                fragment::pieceInFile,
                                fragment::pieceWithoutFile,
                                fragment::pieceOfRank,
                                fragment::fileOfRank};

// The arguments that fill `format` to `text`: each ends where the text after its field begins.
std::optional<std::vector<std::string>> fragmentArguments(std::string_view format, std::string_view text) {
    std::vector<std::string> arguments;
    std::size_t field = format.find("{}");
    if (!text.starts_with(format.substr(0, field))) return std::nullopt;
    if (field == std::string_view::npos) return text == format ? std::optional(arguments) : std::nullopt;
    text.remove_prefix(field);
    while (field != std::string_view::npos) {
        format.remove_prefix(field + 2);
        field = format.find("{}");
        const std::string_view after = format.substr(0, field);
        const bool isLast = field == std::string_view::npos;
        if (isLast && !text.ends_with(after)) return std::nullopt;
        const std::size_t end = isLast ? text.size() - after.size() : text.find(after);
        if (end == std::string_view::npos) return std::nullopt;
        arguments.emplace_back(text.substr(0, end));
        text.remove_prefix(end + after.size());
    }
    return arguments;
}

// In the singular and in the plural, see core/base/counts.h.
std::string inNumber(std::string format, std::string_view ending) {
    constexpr std::string_view plural = "(s)";
    if (const std::size_t at = format.find(plural); at != std::string::npos) format.replace(at, plural.size(), ending);
    return format;
}

} // namespace

std::optional<FragmentParts> fragmentParts(std::string_view text) {
    for (const char* const format : formats)
        for (const char* const ending : {"s", ""})
            if (auto arguments = fragmentArguments(inNumber(format, ending), text);
                arguments && fillSentence(format, *arguments) == text)
                return FragmentParts{format, std::move(*arguments)};
    return std::nullopt;
}

} // namespace wb
