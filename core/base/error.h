// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Marks an English sentence in core for translation without Qt: lupdate is reported that WB_TEXT is QT_TRANSLATE_NOOP, the window
// looks the sentence up in the context "core" and fills the arguments in afterwards. The command line prints the English.
#define WB_TEXT(sentence) sentence

namespace wb {

// How a caller can react to a failure, not where it happened.
enum class ErrorCode {
    NotFound,    // the file or folder does not exist
    NotReadable, // the system refused to open or read it
    NotWritable, // the system refused to create, write or rename it
    NoSpace,     // the disk is full
    Unknown,     // content of no format this program reads
    Malformed,   // content that breaks a rule of its format
    Unsupported, // valid, but outside what this program does
    TooLarge,    // a count or size beyond the caps
    Changed,     // the file changed while it was being read
    Canceled,    // the user stopped it
    Invalid,     // a wrong argument
    DeviceLost,  // the GPU gave up; the CPU can do the work
    Internal     // a defect of this program
};

// One cause of an error or a problem, as an identifier that stays when sentences change: "<room>.<cause>", lower-case words joined
// by underscores, such as "quantize.already_quantized". Remedies, severities and tests compare reasons, never sentences. Only a
// literal becomes a Reason, and the compiler refuses one of another form.
class Reason {
public:
    constexpr Reason() = default;
    // Not explicit, so that tables and calls can name a reason by its literal.
    consteval Reason(const char* id) : m_id(id) { check(id); }
    constexpr const char* id() const { return m_id; }
    constexpr operator const char*() const { return m_id; } // leaves as soon as no caller is left
    constexpr bool isNone() const { return *m_id == '\0'; }
    friend constexpr bool operator==(Reason a, Reason b) { return std::string_view(a.m_id) == b.m_id; }

private:
    static consteval void check(std::string_view id) {
        const auto isWord = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
        bool isInside = false; // a word, rather than at its beginning
        bool hasRoom = false;
        for (const char c : id) {
            if (!isWord(c) && !(c == '.' && isInside)) throw "a reason is <room>.<cause>";
            hasRoom = hasRoom || c == '.';
            isInside = c != '.';
        }
        if (!hasRoom || !isInside) throw "a reason is <room>.<cause>";
    }

    const char* m_id = "";
};

// The subject of an error: the file, tensor or key in its sentence. If the sentence names a file, that is the subject;
// a part file is for its target.
struct About {
    std::string subject;
};

// A failure with one sentence for the user. `format` is English with {} fields, `arguments` fill them; they are kept apart so that
// the window can translate the sentence. `detail` goes to the log only.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    const char* format = "";
    std::vector<std::string> arguments;
    std::string detail;
    Reason reason;
    std::string subject; // see About; empty: nothing in particular
    std::string input;   // set by named(): stands before the sentence

    // The English sentence.
    std::string message() const;
};

// Fills the fields of a run-time format with text arguments: "{}" takes the next argument, "{0}" … "{9}" the argument of that
// number, so that a translation can put them in another order. A field without an argument stays visible; every other brace is
// itself.
std::string fillSentence(std::string_view format, const std::vector<std::string>& arguments);

// The Error of memory that the system did not give.
Error outOfMemory();

// Builds an Error. `format` must outlive it (a literal marked with WB_TEXT); arguments are formatted at once, so that an Error
// contains no references.
template <typename... Args>
Error makeError(ErrorCode code, Reason reason, About about, const char* format, Args&&... args) {
    return Error{code, format, {fmt::format("{}", std::forward<Args>(args))...}, {}, reason, std::move(about.subject), {}};
}

// The same about nothing in particular: the caller knows what the user asked for.
template <typename... Args>
Error makeError(ErrorCode code, Reason reason, const char* format, Args&&... args) {
    return makeError(code, reason, About{}, format, std::forward<Args>(args)...);
}

template <typename... Args>
Error makeError(ErrorCode code, const char* format, Args&&... args) {
    return makeError(code, Reason(), About{}, format, std::forward<Args>(args)...);
}

// The same error, known to be about `subject`.
Error about(std::string subject, Error error);

// The error as a user is reported it who asked for `input`: where the error is about something else (one of its files, a tensor),
// the input's name is before the sentence.
Error named(std::string input, Error error);

// The prefix of a sentence with its input.
inline constexpr const char* inputAndSentence = WB_TEXT("{}: {}");

} // namespace wb
