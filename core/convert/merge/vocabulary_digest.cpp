// SPDX-License-Identifier: MIT
#include "core/convert/merge/vocabulary_digest.h"

#include "core/formats/json/scanner.h"

#include <set>
#include <string>

namespace wb::convert {
namespace {

using json::Token;

class Digester {
public:
    explicit Digester(std::string_view text) : m_scanner(text) {}

    // Empty where the text is not such a file.
    std::optional<VocabularyDigest> run() {
        if (m_scanner.next() != Token::BeginObject) return std::nullopt;
        while (m_scanner.next() == Token::Key) {
            const std::string key(m_scanner.text());
            m_scanner.next();
            if (key == "model") readModel();
            else if (key == "added_tokens") readAdded();
            else skip();
        }
        if (m_scanner.token() != Token::EndObject || m_scanner.next() != Token::End) return std::nullopt;
        return m_digest;
    }

private:
    // From the first token of a value to its last.
    void skip() {
        const Token first = m_scanner.token();
        if (first != Token::BeginObject && first != Token::BeginArray) return;
        const unsigned depth = m_scanner.depth();
        while (m_scanner.depth() >= depth) {
            const Token token = m_scanner.next();
            if (token == Token::Bad || token == Token::End) return;
        }
    }

    // A token that is among the added ones and in the model's vocabulary counts once.
    void add(std::uint64_t number, std::string_view token) {
        std::uint64_t hash = 0xCBF29CE484222325u ^ number * 0x9E3779B97F4A7C15u;
        for (const char c : token) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
        hash ^= hash >> 32;
        hash *= 0xBF58476D1CE4E5B9u;
        if (!m_hashes.insert(hash).second) return;
        ++m_digest.tokens;
        m_digest.sum += hash;
    }

    void readModel() {
        if (m_scanner.token() != Token::BeginObject) return skip();
        while (m_scanner.next() == Token::Key) {
            const bool isVocabulary = m_scanner.text() == "vocab";
            m_scanner.next();
            if (isVocabulary && m_scanner.token() == Token::BeginObject) readNumbered();
            else if (isVocabulary && m_scanner.token() == Token::BeginArray) readListed();
            else skip();
        }
    }

    void readNumbered() {
        while (m_scanner.next() == Token::Key) {
            const std::string token(m_scanner.text());
            m_scanner.next();
            if (m_scanner.token() == Token::Number)
                if (const auto number = json::unsignedInteger(m_scanner.text())) add(*number, token);
            skip();
        }
    }

    void readListed() {
        for (std::uint64_t number = 0; m_scanner.next() == Token::BeginArray; ++number) {
            if (m_scanner.next() == Token::String) add(number, m_scanner.text());
            while (m_scanner.token() != Token::EndArray && m_scanner.token() != Token::Bad && m_scanner.token() != Token::End) {
                skip();
                m_scanner.next();
            }
        }
    }

    void readAdded() {
        if (m_scanner.token() != Token::BeginArray) return skip();
        while (m_scanner.next() == Token::BeginObject) {
            std::optional<std::uint64_t> number;
            std::string content;
            while (m_scanner.next() == Token::Key) {
                const std::string key(m_scanner.text());
                m_scanner.next();
                if (key == "id" && m_scanner.token() == Token::Number) number = json::unsignedInteger(m_scanner.text());
                else if (key == "content" && m_scanner.token() == Token::String) content = m_scanner.text();
                skip();
            }
            if (number) add(*number, content);
        }
    }

    json::Scanner m_scanner;
    VocabularyDigest m_digest;
    std::set<std::uint64_t> m_hashes;
};

} // namespace

Result<VocabularyDigest> digestVocabulary(std::string_view tokenizerJson, const std::string& name) {
    if (const auto digest = Digester(tokenizerJson).run()) return *digest;
    return fail(ErrorCode::Malformed, Reason("merge.tokenizer"), About{name}, WB_TEXT("{} is not a valid tokenizer.json."), name);
}

} // namespace wb::convert
