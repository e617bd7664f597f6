// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/counts.h"
#include "core/base/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Fragments of English that a reader makes with numbers and names in them, and that are kept as text: the notes of TensorDetails
// and the reasons for which values are unavailable. Their formats are listed here, so that the window finds the format and the
// arguments again and shows the fragment in another language. Text of another form stays as it is.
namespace wb {

namespace fragment {

// Notes.
inline constexpr const char* chunks = WB_TEXT("{} chunk(s)");
inline constexpr const char* filteredChunks = WB_TEXT("{} chunk(s), {}"); // with the names of the filters
inline constexpr const char* missingChunks = WB_TEXT("{} chunk(s), {} missing and filled");
inline constexpr const char* neverWritten = WB_TEXT("never written");
inline constexpr const char* parts = WB_TEXT("saved in {} part(s)");
inline constexpr const char* pieces = WB_TEXT("{} piece(s)");
inline constexpr const char* oneValue = WB_TEXT("one value for all elements");
inline constexpr const char* direction = WB_TEXT("the direction before its magnitudes are applied"); // of a DoRA adapter
inline constexpr const char* sparse = WB_TEXT("sparse, {} of {} elements stored");
inline constexpr const char* graphTensor = WB_TEXT("tensor {} of its graph");
inline constexpr const char* scale = WB_TEXT("scale {}, zero point {}");
inline constexpr const char* scales = WB_TEXT("{} scales from {} to {} along dimension {}, zero point 0");
inline constexpr const char* scalesAndZeros = WB_TEXT("{} scales from {} to {} along dimension {}, with zero points");
inline constexpr const char* quantized = WB_TEXT("quantized, {}"); // with the name of its scheme
inline constexpr const char* quantizedTensor = WB_TEXT("quantized, {}, scale {}, zero point {}");
inline constexpr const char* quantizedChannels = WB_TEXT("quantized, {}, axis {}");

// Why values are unavailable.
inline constexpr const char* filter = WB_TEXT("the filter {} is not supported");
inline constexpr const char* removedType = WB_TEXT("its type {} ({}) was removed from the format");
inline constexpr const char* forkType = WB_TEXT("its type {} ({}) exists only in ik_llama.cpp");
inline constexpr const char* unknownType = WB_TEXT("its type {} is not in this format");
inline constexpr const char* component = WB_TEXT("its component {} cannot be read");
inline constexpr const char* pieceInFile = WB_TEXT("its piece in {} is missing or damaged");
inline constexpr const char* pieceWithoutFile = WB_TEXT("a piece of it is in no file");
inline constexpr const char* pieceOfRank = WB_TEXT("the piece of rank {} is missing or damaged");
inline constexpr const char* fileOfRank = WB_TEXT("the file of rank {} is missing or damaged");

} // namespace fragment

// A fragment of one of these formats; counts are grouped, "1,234 chunks".
template <typename... Args>
std::string fragmentText(const char* format, const Args&... args) {
    return fillSentence(format, {countText(args)...});
}

struct FragmentParts {
    const char* format = "";
    std::vector<std::string> arguments;
};

// The format and the arguments that make this text; empty where none does.
std::optional<FragmentParts> fragmentParts(std::string_view text);

} // namespace wb
