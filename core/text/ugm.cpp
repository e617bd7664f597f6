// SPDX-License-Identifier: MIT
#include "core/text/encoder.h"
#include "core/text/token_trie.h"
#include "core/text/utf8.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace wb::text {
namespace {

// The precompiled normalization of SentencePiece (google/sentencepiece: src/normalizer.cc; third_party/darts_clone): a u32 with the
// bytes of a double array of u32, the array, and NUL-terminated replacements. Every look-up is checked, because the file may be
// anything.
class Charsmap {
public:
    static Result<Charsmap> read(const Vocabulary& vocabulary) {
        const std::string& blob = vocabulary.charsmap;
        Charsmap map;
        if (blob.empty()) return map;
        std::uint32_t bytes = 0;
        if (blob.size() >= 4) std::memcpy(&bytes, blob.data(), 4);
        if (blob.size() < 4 || bytes % 4 != 0 || bytes > blob.size() - 4)
            return fail(ErrorCode::Malformed, Reason("text.charsmap"), About{vocabulary.file},
                        WB_TEXT("{}: the normalization table of the vocabulary is corrupted; download it again."), vocabulary.file);
        map.m_units.resize(bytes / 4);
        if (bytes > 0) std::memcpy(map.m_units.data(), blob.data() + 4, bytes); // an empty vector may have no address
        map.m_texts = blob.substr(4 + bytes);
        return map;
    }

    struct Match {
        std::size_t length = 0; // bytes of the prefix that is replaced; 0: none
        std::string_view text;
    };

    // The longest prefix of `text` that the table replaces.
    Match longest(std::string_view text) const {
        Match best;
        if (m_units.empty()) return best;
        std::uint32_t node = offsetFromUnit(m_units[0]);
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto byte = static_cast<unsigned char>(text[i]);
            if (byte == 0) break;
            node ^= byte;
            if (node >= m_units.size() || (m_units[node] & 0x800000FFu) != byte) break;
            const bool hasLeaf = (m_units[node] >> 8 & 1) != 0;
            node ^= offsetFromUnit(m_units[node]);
            if (hasLeaf && node < m_units.size()) best = {i + 1, replacementAt(m_units[node] & 0x7FFFFFFFu)};
        }
        return best;
    }

private:
    static std::uint32_t offsetFromUnit(std::uint32_t unit) { return (unit >> 10) << ((unit & 512u) >> 6); }

    std::string_view replacementAt(std::uint32_t position) const {
        if (position >= m_texts.size()) return {};
        const std::string_view rest = std::string_view(m_texts).substr(position);
        return rest.substr(0, std::min(rest.find('\0'), rest.size()));
    }

    std::vector<std::uint32_t> m_units;
    std::string m_texts;
};

class UgmEncoder final : public Encoder {
public:
    UgmEncoder(std::shared_ptr<const Vocabulary> vocabulary, Charsmap charsmap)
        : m_vocabulary(std::move(vocabulary)), m_charsmap(std::move(charsmap)) {
        float lowest = std::numeric_limits<float>::max();
        std::vector<TokenTrie::Entry> usable, userDefined;
        for (std::size_t i = 0; i < m_vocabulary->tokens.size(); ++i) {
            const Token& token = m_vocabulary->tokens[i];
            if (token.kind == TokenKind::Normal) lowest = std::min(lowest, token.score);
            const auto id = static_cast<TokenId>(i);
            if (token.text.empty() || m_vocabulary->find(token.text) != id) continue;
            if (token.kind == TokenKind::UserDefined) userDefined.push_back({token.text, id});
            if (isUsable(token.kind)) usable.push_back({token.text, id});
        }
        for (const Token& token : m_vocabulary->tokens)
            m_scores.push_back(token.kind == TokenKind::UserDefined ? 0.0 : static_cast<double>(token.score));
        m_tokens = TokenTrie::build(std::move(usable));
        m_userDefined = TokenTrie::build(std::move(userDefined));
        m_unknownScore = (lowest == std::numeric_limits<float>::max() ? 0.0 : static_cast<double>(lowest)) - 10.0;
    }

    Result<void> encode(std::string_view fragment, bool isFirst, const std::stop_token& stop,
                        std::vector<TokenId>& out) const override {
        const std::string text = normalized(fragment, isFirst);
        std::vector<Best> best(1);
        best[0].score = 0;
        std::size_t count = 0, begin = 0; // where the stretch starts whose tokens are not chosen yet
        TokenId last = noToken;
        for (std::size_t at = 0; at < text.size();) {
            if (++count % 4096 == 0) WB_TRY(checkStop(stop));
            at += reach(text, begin, at, best);
            // Where every way leads through one place, the best one up to there is computed.
            if (begin + best.size() - 1 != at) continue;
            appendBest(best, last, out);
            best.front().score = best.back().score;
            best.resize(1);
            begin = at;
        }
        return {};
    }

private:
    // The best way to a place behind `start`.
    struct Best {
        double score = -std::numeric_limits<double>::infinity();
        TokenId id = noToken;
        std::size_t from = 0;
    };

    // Looks at all tokens that start at `at`; answers the bytes of its character.
    std::size_t reach(std::string_view text, std::size_t begin, std::size_t at, std::vector<Best>& best) const {
        const std::size_t character = std::min(characterBytes(text[at]), text.size() - at);
        const double before = best[at - begin].score;
        const auto consider = [&](std::size_t length, TokenId id, double score) {
            const std::size_t end = at - begin + length;
            if (best.size() <= end) best.resize(end + 1);
            if (before + score > best[end].score) best[end] = {before + score, id, at - begin};
        };
        bool foundCharacter = false;
        m_tokens.walk(text.substr(at), [&](std::size_t length, TokenId id) {
            foundCharacter |= length == character;
            consider(length, id, m_scores[static_cast<std::size_t>(id)]);
        });
        if (!foundCharacter) consider(character, m_vocabulary->special.unknown, m_unknownScore);
        return character;
    }

    // The tokens of the best way to the last place; `last` is the one before them. Unknown ones side by side are one.
    void appendBest(const std::vector<Best>& best, TokenId& last, std::vector<TokenId>& out) const {
        const std::size_t first = out.size();
        for (std::size_t at = best.size() - 1; at > 0; at = best[at].from) out.push_back(best[at].id);
        std::reverse(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
        std::size_t kept = first;
        for (std::size_t i = first; i < out.size(); ++i) {
            const bool repeats = out[i] == last && last == m_vocabulary->special.unknown;
            last = out[i];
            if (!repeats && last != noToken) out[kept++] = last;
        }
        out.resize(kept);
    }

    static bool isUsable(TokenKind kind) {
        return kind == TokenKind::Normal || kind == TokenKind::UserDefined || kind == TokenKind::Unused;
    }

    // The normalized text at `at`: a user-defined token passes unchanged, then the table, then the character itself.
    std::string_view step(std::string_view text, std::size_t& at) const {
        const std::string_view rest = text.substr(at);
        if (const std::size_t length = m_userDefined.longest(rest).length; length > 0) {
            at += length;
            return rest.substr(0, length);
        }
        if (const Charsmap::Match match = m_charsmap.longest(rest); match.length > 0) {
            at += match.length;
            return match.text;
        }
        const std::size_t length = std::min(characterBytes(rest.front()), rest.size());
        at += length;
        return isUtf8(rest.substr(0, length)) ? rest.substr(0, length) : replacement;
    }

    std::string normalized(std::string_view text, bool isFirst) const {
        const bool merges = m_vocabulary->removeExtraWhitespaces;
        std::string out;
        bool hasText = false; // something other than blanks
        bool blankWaits = isFirst && m_vocabulary->addSpacePrefix;
        for (std::size_t at = 0; at < text.size();) {
            for (const char c : step(text, at)) {
                if (c == ' ') {
                    if (!merges)
                        out += std::exchange(blankWaits, false) ? std::string(blankMark) + std::string(blankMark)
                                                                : std::string(blankMark);
                    else blankWaits |= hasText;
                    continue;
                }
                if (std::exchange(blankWaits, false)) out += blankMark;
                out += c;
                hasText = true;
            }
        }
        return out;
    }

    std::shared_ptr<const Vocabulary> m_vocabulary;
    Charsmap m_charsmap;
    TokenTrie m_tokens, m_userDefined;
    std::vector<double> m_scores; // by token
    double m_unknownScore = 0;
};

} // namespace

Result<std::unique_ptr<Encoder>> makeUgmEncoder(std::shared_ptr<const Vocabulary> vocabulary) {
    WB_TRY_ASSIGN(Charsmap charsmap, Charsmap::read(*vocabulary));
    return std::make_unique<UgmEncoder>(std::move(vocabulary), std::move(charsmap));
}

} // namespace wb::text
