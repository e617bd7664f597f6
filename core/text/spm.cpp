// SPDX-License-Identifier: MIT
#include "core/text/encoder.h"
#include "core/text/merge_list.h"
#include "core/text/utf8.h"

namespace wb::text {
namespace {

// Two neighbors merge where their concatenation is a token; the highest score first.
struct PieceRule {
    using Key = float; // the negative score
    const Vocabulary* vocabulary;
    std::string_view text;

    template <typename Symbol>
    bool operator()(const Symbol& left, const Symbol& right, Key& key, std::int32_t& result) const {
        result = vocabulary->find(text.substr(left.begin, right.end - left.begin));
        if (result == noToken) return false;
        key = -vocabulary->tokens[static_cast<std::size_t>(result)].score;
        return true;
    }
};

constexpr std::size_t longestSegment = 1 << 24; // bytes merged at once; offsets in a MergeList are 32 bits
constexpr std::size_t cachedSegments = 1 << 15;
constexpr std::size_t longestCachedSegment = 64; // bytes

using SegmentCache =
    std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>>; // segment → ids [from, to) of the output

class SpmEncoder final : public Encoder {
public:
    explicit SpmEncoder(std::shared_ptr<const Vocabulary> vocabulary)
        : m_vocabulary(std::move(vocabulary)), m_dividesAtBlanks(noTokenCrossesBlank()) {}

    Result<void> encode(std::string_view fragment, bool isFirst, const std::stop_token& stop,
                        std::vector<TokenId>& out) const override {
        if (fragment.empty()) return {};
        std::string text;
        text.reserve(fragment.size() + fragment.size() / 2 + 3);
        if (isFirst && m_vocabulary->addSpacePrefix) text += blankMark;
        for (const char c : fragment) c == ' ' ? text += blankMark : text += c;
        MergeList<PieceRule> list;
        SegmentCache cache;
        std::size_t count = 0;
        for (std::size_t at = 0; at < text.size();) {
            if (++count % 4096 == 0) WB_TRY(checkStop(stop));
            const std::size_t end = segmentEnd(text, at);
            encodeCached(std::string_view(text).substr(at, end - at), cache, list, out);
            at = end;
        }
        return {};
    }

private:
    // Whether no token has U+2581 behind another character, as in most vocabularies: merges then never cross the beginning of a
    // word.
    bool noTokenCrossesBlank() const {
        for (const Token& token : m_vocabulary->tokens) {
            const std::string_view text = token.text;
            std::size_t start = 0;
            while (text.substr(start).starts_with(blankMark)) start += blankMark.size();
            if (text.find(blankMark, start) != std::string_view::npos) return false;
        }
        return true;
    }

    std::size_t segmentEnd(std::string_view text, std::size_t begin) const {
        std::size_t end = text.size();
        if (m_dividesAtBlanks) {
            std::size_t word = begin;
            while (text.substr(word).starts_with(blankMark)) word += blankMark.size();
            end = std::min(text.find(blankMark, word), text.size());
        }
        if (end - begin <= longestSegment) return end;
        end = begin + longestSegment;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
        return end;
    }

    void encodeCached(std::string_view segment, SegmentCache& cache, MergeList<PieceRule>& list, std::vector<TokenId>& out) const {
        if (const auto known = cache.find(segment); known != cache.end()) {
            for (std::size_t i = known->second.first; i < known->second.second; ++i) out.push_back(TokenId{out[i]});
            return;
        }
        const std::size_t before = out.size();
        encodeSegment(segment, list, out);
        if (segment.size() <= longestCachedSegment && cache.size() < cachedSegments)
            cache.emplace(segment, std::pair{before, out.size()});
    }

    void encodeSegment(std::string_view segment, MergeList<PieceRule>& list, std::vector<TokenId>& out) const {
        list.clear();
        for (std::size_t at = 0; at < segment.size();) {
            const std::size_t end = std::min(at + characterBytes(segment[at]), segment.size());
            list.add(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end),
                     m_vocabulary->find(segment.substr(at, end - at)));
            at = end;
        }
        list.merge(PieceRule{m_vocabulary.get(), segment});
        list.forEach([&](const auto& symbol) {
            if (symbol.id != noToken) return out.push_back(symbol.id);
            for (std::size_t i = symbol.begin; i < symbol.end; ++i) appendByte(static_cast<unsigned char>(segment[i]), out);
        });
    }

    void appendByte(unsigned char byte, std::vector<TokenId>& out) const {
        TokenId id = m_vocabulary->byteToken(byte);
        if (id == noToken) id = m_vocabulary->special.unknown;
        if (id != noToken) out.push_back(id);
    }

    std::shared_ptr<const Vocabulary> m_vocabulary;
    bool m_dividesAtBlanks;
};

} // namespace

std::unique_ptr<Encoder> makeSpmEncoder(std::shared_ptr<const Vocabulary> vocabulary) {
    return std::make_unique<SpmEncoder>(std::move(vocabulary));
}

} // namespace wb::text
