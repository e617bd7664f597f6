// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/text/chat_template.h"

#include <stop_token>

namespace wb::cli {

// The conversations of a FILE.json as `wb template` describes it (docs/reference/command_line.md): an object with "messages", an
// array of messages, or an array of such objects.
class ConversationFile {
public:
    // Malformed, with the path as typed, for text that is not UTF-8, not JSON or of another shape.
    static Result<ConversationFile> open(const std::string& path);

    bool isArray() const { return m_isArray; }
    const text::jinja::List& conversations() const { return m_conversations; }

    // One of them as a template takes it; the tokens are where the file names none.
    Result<text::Conversation> conversation(const text::jinja::Value& given, const std::string& bos, const std::string& eos) const;

private:
    std::unexpected<Error> refuse() const;

    std::string m_path;
    text::jinja::List m_conversations;
    bool m_isArray = false;
};

// A template and the tokens it may write.
struct TemplateSource {
    std::string name;     // of the file or model, for sentences
    std::string usual;    // the template
    std::string forTools; // that of conversations with tools; empty: the same
    std::string bos, eos;

    // NotFound where the model has no template. The tokens stay empty where the vocabulary cannot be read: the template may do
    // without.
    static Result<TemplateSource> ofModel(const Model& model, const std::string& path, const std::stop_token& stop);

    Result<text::Prompt> render(const text::Conversation& conversation, const std::stop_token& stop) const;
};

// The value of an option that reads from stdin.
inline constexpr std::string_view stdinWord = "-";

// The text of a file, a pipe or, for "-", of stdin, of at most `cap` bytes.
Result<std::string> readTextFile(const std::string& path, std::uint64_t cap);

} // namespace wb::cli
