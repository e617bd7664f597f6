// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

// Marks an English sentence in core for translation without Qt: lupdate is told that WB_TEXT is QT_TRANSLATE_NOOP, the window
// looks the sentence up in the context "core" and fills the arguments in afterwards. The command line prints the English.
#define WB_TEXT(sentence) sentence

namespace wb {

// What a caller can do about a failure, not where it happened.
enum class ErrorCode {
    NotFound,    // the file or folder does not exist
    NotReadable, // the system refused to open or read it
    NotWritable, // the system refused to create, write or rename it
    NoRoom,      // the disk is full
    Unknown,     // content of no format this program reads
    Malformed,   // content that breaks a rule of its format
    Unsupported, // valid, but outside what this program does
    TooLarge,    // a count or size beyond the caps
    Changed,     // the file changed while it was being read
    Cancelled,   // the user stopped it
    Invalid,     // a wrong argument
    DeviceLost,  // the graphics device gave up; the CPU can do the work
    Internal     // a defect of this program
};

// A failure with one sentence for the user. `format` is English with {} fields, `arguments` fill them; they are kept apart so that
// the window can translate the sentence. `detail` goes to the log only.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    const char* format = "";
    std::vector<std::string> arguments;
    std::string detail;

    // The English sentence.
    std::string message() const;
};

// Fills the fields of a run-time format with text arguments: "{}" takes the next one, "{0}" … "{9}" that one, so that a translation
// can put them in another order. A field without an argument stays visible; every other brace is itself.
std::string fillSentence(std::string_view format, const std::vector<std::string>& arguments);

// The Error of memory that the system did not give.
Error outOfMemory();

// Builds an Error. `format` must outlive it (a literal marked with WB_TEXT); arguments are formatted at once, so that an Error
// holds no references.
template <typename... Args>
Error makeError(ErrorCode code, const char* format, Args&&... args) {
    return Error{code, format, {fmt::format("{}", std::forward<Args>(args))...}, {}};
}

} // namespace wb
