// SPDX-License-Identifier: MIT
#include "core/convert/gguf/tokenizer_json.h"

#include "core/convert/source/source_folder.h"
#include "core/formats/json/json.h"
#include "core/text/splitting_rule.h"

namespace wb::convert {
namespace {

using json::Token;

bool opens(Token token) { return token == Token::BeginObject || token == Token::BeginArray; }
bool closes(Token token) { return token == Token::EndObject || token == Token::EndArray; }

// Walks tokenizer.json. Every function starts at the first token of its value, leaves at its last and is false where the text is
// not what it must be.
class TokenizerJsonReader {
public:
    TokenizerJsonReader(std::string_view text, TokenizerJson& out) : m_scanner(text), m_out(out) {}

    bool read() {
        m_scanner.next();
        return object([this](const std::string& key) {
                   if (key == "model") return model();
                   if (key == "added_tokens") return addedTokens();
                   if (key == "pre_tokenizer") return value(m_out.preTokenizer);
                   if (key == "post_processor") return value(m_out.postProcessor);
                   return skip();
               }) &&
               m_scanner.next() == Token::End;
    }
    bool isTooLarge() const { return m_isTooLarge; }

private:
    bool object(const auto& member) {
        if (m_scanner.token() != Token::BeginObject) return false;
        while (m_scanner.next() == Token::Key) {
            const std::string key(m_scanner.text());
            m_scanner.next();
            if (!member(key)) return false;
        }
        return m_scanner.token() == Token::EndObject;
    }

    bool array(const auto& element) {
        if (m_scanner.token() != Token::BeginArray) return false;
        while (m_scanner.next() != Token::EndArray)
            if (!element()) return false;
        return true;
    }

    bool skip() {
        std::size_t depth = 0;
        do {
            const Token token = m_scanner.token();
            if (token == Token::Bad || token == Token::End) return false;
            if (opens(token)) ++depth;
            if (closes(token)) --depth;
        } while (depth > 0 && (m_scanner.next(), true));
        return true;
    }

    bool value(Value& out) {
        json::Notes notes;
        formats::Limits limits;
        limits.keptJsonMembers = maxTokens;
        auto read = json::readValue(m_scanner, limits, notes);
        m_isTooLarge = m_isTooLarge || notes.tooMany;
        if (read) out = std::move(*read);
        return read && !notes.tooMany;
    }

    bool roomFor(std::size_t count) {
        m_isTooLarge = m_isTooLarge || count >= maxTokens;
        return !m_isTooLarge;
    }

    bool model() {
        return object([this](const std::string& key) {
            if (key == "type") return text(m_out.modelType);
            if (key == "vocab" && m_scanner.token() == Token::BeginObject) return vocabulary();
            if (key == "byte_fallback") {
                m_out.byteFallback = m_scanner.token() == Token::True;
                return skip();
            }
            if (key == "merges") return array([this] { return merge(); });
            return skip();
        });
    }

    bool text(std::string& out) {
        out = m_scanner.text();
        return m_scanner.token() == Token::String;
    }

    bool vocabulary() {
        return object([this](const std::string& key) {
            const auto id = m_scanner.token() == Token::Number ? json::unsignedInteger(m_scanner.text()) : std::nullopt;
            if (!id || !roomFor(m_out.vocabulary.size())) return false;
            m_out.vocabulary.emplace_back(key, *id);
            return true;
        });
    }

    bool merge() {
        if (!roomFor(m_out.merges.size())) return false;
        std::string joined;
        if (m_scanner.token() == Token::String) {
            joined = m_scanner.text();
        } else {
            std::size_t parts = 0;
            const bool isList = array([&] {
                if (m_scanner.token() != Token::String) return false;
                if (parts++ > 0) joined += ' ';
                for (const char c : m_scanner.text()) c == ' ' ? joined += "\u0120" : joined += c;
                return true;
            });
            if (!isList || parts != 2) return false;
        }
        m_out.merges.push_back(std::move(joined));
        return true;
    }

    bool addedTokens() {
        Value list;
        if (!value(list) || !list.array()) return false;
        for (const Value& element : list.array()->first) {
            const ValueObject* const token = element.object();
            const Value* const id = token ? findSet(*token, "id") : nullptr;
            const Value* const content = token ? findSet(*token, "content") : nullptr;
            if (!id || !id->unsignedNumber() || !content || !content->string()) return false;
            const Value* const special = findSet(*token, "special");
            const bool* const isSpecial = special ? std::get_if<bool>(&special->data) : nullptr;
            m_out.added.push_back({*id->unsignedNumber(), *content->string(), isSpecial && *isSpecial});
        }
        return true;
    }

    json::Scanner m_scanner;
    TokenizerJson& m_out;
    bool m_isTooLarge = false;
};

// Appends the expressions of one step; false for a step that cuts in another way.
bool addExpressions(const ValueObject& step, std::vector<std::string>& out, unsigned depth = 0) {
    const std::string_view type = memberText(step, "type");
    const auto isFalse = [&step](std::string_view key) {
        const Value* const value = findSet(step, key);
        const bool* const truth = value ? std::get_if<bool>(&value->data) : nullptr;
        return truth && !*truth;
    };
    if (type == "ByteLevel") {
        if (!isFalse("use_regex")) out.emplace_back(text::byteLevelExpression);
        return true;
    }
    if (type == "Digits") {
        out.emplace_back(isFalse("individual_digits") || !findSet(step, "individual_digits") ? R"(\p{N}+)" : R"(\p{N})");
        return true;
    }
    if (type == "Split") {
        const Value* const pattern = findSet(step, "pattern");
        const std::string_view expression = pattern && pattern->object() ? memberText(*pattern->object(), "Regex") : "";
        out.emplace_back(expression);
        return !expression.empty();
    }
    const Value* const steps = type == "Sequence" ? findSet(step, "pretokenizers") : nullptr;
    if (!steps || !steps->array() || depth > 4) return false;
    for (const Value& inner : steps->array()->first)
        if (!inner.object() || !addExpressions(*inner.object(), out, depth + 1)) return false;
    return true;
}

} // namespace

Result<TokenizerJson> parseTokenizerJson(std::string_view text, const std::string& name) {
    TokenizerJson out;
    TokenizerJsonReader reader(text, out);
    if (reader.read()) return out;
    if (reader.isTooLarge())
        return fail(ErrorCode::TooLarge, Reason("convert.tokens"), About{name}, WB_TEXT("{} lists more than {} tokens or merges."),
                    name, maxTokens);
    return fail(ErrorCode::Malformed, Reason("convert.tokenizer_json"), About{name},
                WB_TEXT("{} is not a tokenizer of the tokenizers library, or it is corrupted."), name);
}

Result<std::vector<std::string>> splitExpressions(const Value& preTokenizer) {
    std::vector<std::string> expressions;
    if (preTokenizer.object() && addExpressions(*preTokenizer.object(), expressions)) return expressions;
    return fail(ErrorCode::Unsupported, preTokenizerKind, About{"tokenizer.json"},
                WB_TEXT("The pre-tokenizer type of tokenizer.json is not supported; choose one that splits text the same way."));
}

} // namespace wb::convert
