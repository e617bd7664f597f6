// SPDX-License-Identifier: MIT
#include "core/text/encoder.h"
#include "core/text/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace wb::text {
namespace {

utf8proc_category_t characterCategory(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }

bool isWhiteSpace(char32_t c) {
    return (c >= 9 && c <= 13) || c == 0x85 || c == 0x2028 || c == 0x2029 || characterCategory(c) == UTF8PROC_CATEGORY_ZS;
}

bool isDropped(char32_t c) {
    const auto category = characterCategory(c);
    return c == 0 || c == 0xFFFD || category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_CO || category == UTF8PROC_CATEGORY_CS;
}

bool isMark(char32_t c) {
    const auto category = characterCategory(c);
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_ME;
}

bool isSymbol(char32_t c) {
    const auto category = characterCategory(c);
    return category == UTF8PROC_CATEGORY_SM || category == UTF8PROC_CATEGORY_SC || category == UTF8PROC_CATEGORY_SK ||
           category == UTF8PROC_CATEGORY_SO;
}

bool isPunctuation(char32_t c) {
    const auto category = characterCategory(c);
    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

// google-research/bert: tokenization.py, _is_chinese_char, with the reference's 2B920 (ggml-org/llama.cpp: src/llama-vocab.cpp).
bool isChinese(char32_t c) {
    constexpr std::pair<char32_t, char32_t> ranges[] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF},
                                                        {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF},
                                                        {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
    return std::ranges::any_of(ranges, [c](const auto& range) { return c >= range.first && c <= range.second; });
}

bool standsAlone(char32_t c) { return isPunctuation(c) || (c < 0x7F && isSymbol(c)) || isChinese(c); }

// The first code point of the canonical decomposition.
char32_t withoutAccent(char32_t c) {
    utf8proc_int32_t buffer[32];
    int boundary = 0;
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), buffer, 32, UTF8PROC_DECOMPOSE, &boundary);
    return count > 0 ? static_cast<char32_t>(buffer[0]) : c;
}

// What becomes of a character before the words are cut into tokens.
struct Character {
    enum class Part : std::uint8_t { Dropped, Blank, Letter, Alone } part;
    char32_t code; // without accent, in lower case
};

// Words repeat: the ids of those seen in a call, as [from, to) of its output.
using WordCache = std::unordered_map<std::string, std::pair<std::uint32_t, std::uint32_t>>;
constexpr std::size_t cachedWords = 1 << 15;
constexpr std::size_t longestCachedWord = 64; // bytes

class WpmEncoder final : public Encoder {
public:
    explicit WpmEncoder(std::shared_ptr<const Vocabulary> vocabulary) : m_vocabulary(std::move(vocabulary)) {
        for (const Token& token : m_vocabulary->tokens) m_longest = std::max(m_longest, token.text.size());
        for (char32_t c = 0; c < m_ascii.size(); ++c) m_ascii[c] = classify(c);
    }

    Result<void> encode(std::string_view fragment, bool, const std::stop_token& stop, std::vector<TokenId>& out) const override {
        std::string word;
        WordCache cache;
        std::size_t count = 0;
        for (std::size_t at = 0; at < fragment.size();) {
            if (++count % 16384 == 0) WB_TRY(checkStop(stop));
            const auto byte = static_cast<unsigned char>(fragment[at]);
            const bool isAscii = byte < m_ascii.size();
            const Character c = isAscii ? m_ascii[byte] : classify(nextCodePoint(fragment, at));
            at += isAscii;
            if (c.part == Character::Part::Dropped) continue;
            if (c.part != Character::Part::Letter) endWord(word, cache, out);
            if (c.part == Character::Part::Blank) continue;
            if (c.code < 0x80) word += static_cast<char>(c.code);
            else appendUtf8(word, c.code);
            if (c.part == Character::Part::Alone) endWord(word, cache, out);
        }
        endWord(word, cache, out);
        return {};
    }

private:
    Character classify(char32_t c) const {
        using enum Character::Part;
        if (m_vocabulary->stripAccents) c = withoutAccent(c);
        if (isWhiteSpace(c)) return {Blank, c};
        if (isDropped(c) || (m_vocabulary->stripAccents && isMark(c))) return {Dropped, c};
        if (m_vocabulary->lowercase) c = static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
        return {standsAlone(c) ? Alone : Letter, c};
    }

    void endWord(std::string& word, WordCache& cache, std::vector<TokenId>& out) const {
        if (word.empty()) return;
        if (const auto known = cache.find(word); known != cache.end()) {
            for (std::uint32_t i = known->second.first; i < known->second.second; ++i) out.push_back(TokenId{out[i]});
        } else {
            const std::size_t before = out.size();
            cutWord(word, out);
            if (word.size() <= longestCachedWord && cache.size() < cachedWords && out.size() <= UINT32_MAX)
                cache.emplace(word, std::pair{static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(out.size())});
        }
        word.clear();
    }

    // The longest tokens from left to right; a word that they do not cover is unknown as a whole.
    void cutWord(std::string_view word, std::vector<TokenId>& out) const {
        const std::string marked = std::string(blankMark) + std::string(word);
        const std::size_t before = out.size();
        for (std::size_t at = 0; at < marked.size();) {
            const auto [id, length] = longestAt(std::string_view(marked).substr(at));
            if (id == noToken) {
                out.resize(before);
                if (m_vocabulary->special.unknown != noToken) out.push_back(m_vocabulary->special.unknown);
                return;
            }
            out.push_back(id);
            at += length;
        }
    }

    std::pair<TokenId, std::size_t> longestAt(std::string_view rest) const {
        for (std::size_t length = std::min(rest.size(), m_longest); length > 0; --length)
            if (const TokenId id = m_vocabulary->find(rest.substr(0, length)); id != noToken) return {id, length};
        return {noToken, 0};
    }

    std::shared_ptr<const Vocabulary> m_vocabulary;
    std::size_t m_longest = 0;
    std::array<Character, 128> m_ascii{};
};

} // namespace

std::unique_ptr<Encoder> makeWpmEncoder(std::shared_ptr<const Vocabulary> vocabulary) {
    return std::make_unique<WpmEncoder>(std::move(vocabulary));
}

} // namespace wb::text
