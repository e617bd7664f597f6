// SPDX-License-Identifier: MIT
#include "core/text/tokenizer.h"

#include "core/text/rwkv.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <map>

namespace wb::text {
namespace {

bool isAsciiSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool isSpecial(const Token& token) {
    return token.kind == TokenKind::Control || token.kind == TokenKind::UserDefined || token.kind == TokenKind::Unknown;
}

// "<0xHH>" as its byte; other texts of byte tokens are the byte themselves.
std::string byteFromText(const std::string& text) {
    if (text.size() == 6 && text.starts_with("<0x")) return bytesOfEscaped("\\x" + text.substr(3, 2));
    return text;
}

std::string withBlanks(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const bool isMark = text.substr(at).starts_with(blankMark);
        out += isMark ? ' ' : text[at];
        at += isMark ? blankMark.size() : 1;
    }
    return out;
}

} // namespace

Result<std::unique_ptr<Encoder>> makeEncoder(std::shared_ptr<const Vocabulary> vocabulary) {
    switch (vocabulary->algorithm) {
    case Algorithm::Spm: return makeSpmEncoder(std::move(vocabulary));
    case Algorithm::Bpe: return makeBpeEncoder(std::move(vocabulary));
    case Algorithm::Wpm: return makeWpmEncoder(std::move(vocabulary));
    case Algorithm::Ugm: return makeUgmEncoder(std::move(vocabulary));
    case Algorithm::Rwkv: return makeRwkvEncoder(std::move(vocabulary));
    }
    return makeBpeEncoder(std::move(vocabulary));
}

Result<void> checkStop(const std::stop_token& stop) {
    if (stop.stop_requested()) return fail(ErrorCode::Canceled, Reason("text.cancelled"), WB_TEXT("Tokenization canceled."));
    return {};
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::open(const Model& model, const VocabularyOptions& options) {
    WB_TRY_ASSIGN(auto vocabulary, readVocabulary(model, options));
    WB_TRY_ASSIGN(auto encoder, makeEncoder(vocabulary));
    return std::shared_ptr<const Tokenizer>(new Tokenizer(std::move(vocabulary), std::move(encoder)));
}

Tokenizer::Tokenizer(std::shared_ptr<const Vocabulary> vocabulary, std::unique_ptr<Encoder> encoder)
    : m_vocabulary(std::move(vocabulary)), m_encoder(std::move(encoder)) {
    for (std::size_t i = 0; i < m_vocabulary->tokens.size(); ++i)
        if (isSpecial(m_vocabulary->tokens[i])) addToTrie(static_cast<TokenId>(i));
    if (!m_vocabulary->byteEncoded) return;
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::string character;
        appendUtf8(character, characterOfByte(static_cast<unsigned char>(byte)));
        m_byteOfCharacter.emplace(std::move(character), static_cast<char>(static_cast<unsigned char>(byte)));
    }
}

void Tokenizer::addToTrie(TokenId id) {
    std::size_t node = 0;
    const std::string& text = m_vocabulary->tokens[static_cast<std::size_t>(id)].text;
    m_beginsSpecial[static_cast<unsigned char>(text.front())] = true;
    for (const char c : text) {
        const auto child = m_trie[node].children.find(c);
        if (child != m_trie[node].children.end()) {
            node = child->second;
            continue;
        }
        m_trie[node].children.emplace(c, m_trie.size());
        node = m_trie.size();
        m_trie.emplace_back();
    }
    if (m_vocabulary->find(text) == id) m_trie[node].id = id;
}

// Every occurrence of a special token that counts, also overlapping ones, by beginning.
std::vector<Tokenizer::Occurrence> Tokenizer::findSpecial(std::string_view text, bool parseSpecial,
                                                          std::span<const Stretch> literal) const {
    std::vector<Occurrence> found;
    const auto isLiteral = [&](std::size_t begin, std::size_t end) {
        const auto stretch = std::ranges::upper_bound(literal, begin, {}, &Stretch::end);
        return stretch != literal.end() && stretch->begin < end;
    };
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (!m_beginsSpecial[static_cast<unsigned char>(text[begin])]) continue;
        std::size_t node = 0;
        for (std::size_t at = begin; at < text.size(); ++at) {
            const auto child = m_trie[node].children.find(text[at]);
            if (child == m_trie[node].children.end()) break;
            node = child->second;
            const TokenId id = m_trie[node].id;
            if (id == noToken) continue;
            const bool always = m_vocabulary->tokens[static_cast<std::size_t>(id)].kind == TokenKind::UserDefined;
            if (always || (parseSpecial && !isLiteral(begin, at + 1))) found.push_back({begin, at + 1, id});
        }
    }
    return found;
}

// The reference looks for the longest token in the whole text first, then for the next in the rest of it; white space that a
// token swallows is gone for those after it.
std::vector<Tokenizer::Occurrence> Tokenizer::chooseLongest(std::string_view text, std::vector<Occurrence> found) const {
    std::ranges::stable_sort(found, [](const Occurrence& a, const Occurrence& b) {
        const std::size_t lengthA = a.end - a.begin;
        const std::size_t lengthB = b.end - b.begin;
        if (lengthA != lengthB) return lengthA > lengthB;
        return a.id != b.id ? a.id < b.id : a.begin < b.begin;
    });
    std::map<std::size_t, Occurrence> chosen; // by beginning, apart
    for (Occurrence occurrence : found) {
        const auto after = chosen.lower_bound(occurrence.begin);
        if (after != chosen.end() && after->second.begin < occurrence.end) continue;
        const std::size_t left = after == chosen.begin() ? 0 : std::prev(after)->second.end;
        const std::size_t right = after == chosen.end() ? text.size() : after->second.begin;
        if (left > occurrence.begin) continue;
        const Token& token = m_vocabulary->tokens[static_cast<std::size_t>(occurrence.id)];
        while (token.stripLeft && occurrence.begin > left && isAsciiSpace(text[occurrence.begin - 1])) --occurrence.begin;
        while (token.stripRight && occurrence.end < right && isAsciiSpace(text[occurrence.end])) ++occurrence.end;
        chosen.emplace(occurrence.begin, occurrence);
    }
    std::vector<Occurrence> out;
    for (const auto& [begin, occurrence] : chosen) out.push_back(occurrence);
    return out;
}

Result<std::vector<TokenId>> Tokenizer::encode(std::string_view text, const EncodeOptions& options,
                                               std::span<const Stretch> literal) const {
    const SpecialIds& special = m_vocabulary->special;
    std::vector<TokenId> out;
    if (options.addSpecial && m_vocabulary->addBos && special.bos != noToken) out.push_back(special.bos);
    std::size_t at = 0;
    for (const Occurrence& occurrence : chooseLongest(text, findSpecial(text, options.parseSpecial, literal))) {
        if (occurrence.begin > at) WB_TRY(m_encoder->encode(text.substr(at, occurrence.begin - at), true, options.stop, out));
        out.push_back(occurrence.id);
        at = occurrence.end;
    }
    if (at < text.size()) WB_TRY(m_encoder->encode(text.substr(at), true, options.stop, out));
    if (!options.addSpecial) return out;
    if (m_vocabulary->algorithm == Algorithm::Wpm && special.separator != noToken) out.push_back(special.separator);
    if (m_vocabulary->addEos && special.eos != noToken) out.push_back(special.eos);
    return out;
}

std::string Tokenizer::piece(TokenId id, bool showSpecial) const {
    const Token& token = m_vocabulary->tokens[static_cast<std::size_t>(id)];
    switch (token.kind) {
    case TokenKind::Control:
    case TokenKind::Unknown: return showSpecial ? token.text : std::string();
    case TokenKind::UserDefined: return token.text;
    case TokenKind::Byte: return byteFromText(token.text);
    case TokenKind::Normal:
    case TokenKind::Unused: break;
    }
    if (m_vocabulary->algorithm == Algorithm::Rwkv) return bytesOfEscaped(token.text);
    if (!m_vocabulary->byteEncoded) return withBlanks(token.text);
    std::string out;
    for (std::size_t i = 0; i < token.text.size();) {
        const std::string character = token.text.substr(i, characterBytes(token.text[i]));
        const auto byte = m_byteOfCharacter.find(character);
        if (byte != m_byteOfCharacter.end()) out += byte->second;
        else out += character;
        i += character.size();
    }
    return out;
}

std::string Tokenizer::decode(std::span<const TokenId> ids, bool showSpecial) const {
    std::string out;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::string part = piece(ids[i], showSpecial);
        const bool dropsBlank = i == 0 && m_vocabulary->addSpacePrefix && part.starts_with(' ');
        out += dropsBlank ? part.substr(1) : part;
    }
    return out;
}

} // namespace wb::text
