// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
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

// One cause of failure as an identifier that stays when sentences change: "<room>.<cause>", lower-case words joined by hyphens, such as
// Reason("quantize.already-quantized"). Problem::code speaks the same dialect. Remedies, severities and tests compare reasons, never
// sentences. `id` must outlive it (a literal).
class Reason {
public:
    constexpr Reason() = default;
    constexpr explicit Reason(const char* id) : m_id(id) {}
    constexpr const char* id() const { return m_id; }
    constexpr bool isNone() const { return *m_id == '\0'; }
    friend constexpr bool operator==(Reason a, Reason b) { return std::string_view(a.m_id) == b.m_id; }

private:
    const char* m_id = "";
};

// A failure with one sentence for the user. `format` is English with {} fields, `arguments` fill them; they are kept apart so that
// the window can translate the sentence. `detail` goes to the log only. `subject` is what a caller who knows more than the failing
// function asks before it names the file in front of the sentence.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    const char* format = "";
    std::vector<std::string> arguments;
    std::string detail;
    Reason reason;
    std::string subject; // the file, tensor or key it is about, as the sentence names it; empty: none in particular

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
    return Error{code, format, {fmt::format("{}", std::forward<Args>(args))...}, {}, {}, {}};
}

// The same with its cause.
template <typename... Args>
Error makeError(ErrorCode code, Reason reason, const char* format, Args&&... args) {
    Error error = makeError(code, format, std::forward<Args>(args)...);
    error.reason = reason;
    return error;
}

// The same error, known to be about `subject`.
Error about(std::string subject, Error error);

} // namespace wb
