// SPDX-License-Identifier: MIT
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wb::json {

enum class Token : std::uint8_t { BeginObject, EndObject, BeginArray, EndArray, Key, String, Number, True, False, Null, End, Bad };

// Walks a JSON text token by token in one pass: exactly the grammar of RFC 8259 (no comments, no trailing commas, no NUL, no byte
// order mark). It copies nothing but strings with escapes, allocates nothing else and throws nothing, because it reads headers of
// 100 MB that come from strangers. The text must outlive the scanner. Commas and colons are checked and never shown.
//
// Bytes that are not UTF-8 and escaped halves of surrogate pairs are replaced by U+FFFD; invalidUtf8() tells that it happened.
class Scanner {
public:
    static constexpr unsigned greatestDepth = 256;
    static constexpr unsigned usualDepth = 64;

    // `maximumDepth`: how many objects and arrays may be open at once, at most greatestDepth.
    explicit Scanner(std::string_view text, unsigned maximumDepth = usualDepth);

    // The next token. End and Bad repeat for ever.
    Token next();

    Token token() const { return m_token; }
    // Key, String: the characters, valid until the next call of next(). Number: its digits as written.
    std::string_view text() const { return m_value; }
    // The first byte of the token; for Bad the byte at fault.
    std::size_t position() const { return m_position; }
    // The byte after the token (for a Key: after its colon).
    std::size_t end() const { return m_at; }
    unsigned depth() const { return m_depth; }
    // Why the token is Bad, as a clause in English: "a comma or bracket is missing".
    const char* reason() const { return m_reason; }
    // The first byte of the first string that had to be repaired.
    std::optional<std::size_t> invalidUtf8() const { return m_invalidUtf8; }

private:
    enum class State : std::uint8_t { Value, FirstValue, Key, FirstKey, AfterValue, Done, Failed };

    Token bad(std::size_t position, const char* reason);
    Token open(bool object);
    Token close();
    Token afterScalar(Token token);
    Token key();
    Token value();
    Token number();
    Token literal(std::string_view word, Token token);
    bool string();
    bool decodeEscapes(std::size_t begin, std::size_t at);
    bool decodeEscape();
    bool decodeUnicode();
    std::optional<std::uint32_t> hexDigits();
    void repairUtf8(std::size_t begin);
    void skipBlanks();
    void skipDigits();
    bool at(char c) const { return m_at < m_text.size() && m_text[m_at] == c; }
    bool inObject() const { return m_depth > 0 && m_objects[m_depth - 1]; }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_position = 0;
    std::string_view m_value;
    std::string m_decoded;
    std::bitset<greatestDepth> m_objects; // bit d is set where the container at depth d + 1 is an object
    unsigned m_depth = 0;
    unsigned m_maximumDepth;
    Token m_token = Token::Bad;
    State m_state = State::Value;
    const char* m_reason = "";
    std::optional<std::size_t> m_invalidUtf8;
};

// A Number's digits as an unsigned integer: no sign, fraction or exponent, at most 2^64-1.
std::optional<std::uint64_t> unsignedInteger(std::string_view digits);

} // namespace wb::json
