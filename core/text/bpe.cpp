// SPDX-License-Identifier: MIT
#include "core/text/encoder.h"
#include "core/text/merge_list.h"
#include "core/text/pretokenizer.h"
#include "core/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace wb::text {
namespace {

using SymbolId = std::int32_t; // an interned text: a character, a part of a merge or its result

struct Merge {
    std::int32_t rank;
    SymbolId result;
};

struct PairHash {
    std::size_t operator()(std::uint64_t pair) const {
        return static_cast<std::size_t>((pair ^ pair >> 29) * 0x9E3779B97F4A7C15u >> 8);
    }
};

struct Rule {
    using Key = std::int32_t;
    const std::unordered_map<std::uint64_t, Merge, PairHash>* merges;

    template <typename Symbol>
    bool operator()(const Symbol& left, const Symbol& right, Key& rank, SymbolId& result) const {
        if (left.id < 0 || right.id < 0) return false;
        const auto found = merges->find(static_cast<std::uint64_t>(left.id) << 32 | static_cast<std::uint32_t>(right.id));
        if (found == merges->end()) return false;
        rank = found->second.rank;
        result = found->second.result;
        return true;
    }
};

constexpr std::size_t cachedPieces = 1 << 15;
constexpr std::size_t longestCached = 64; // bytes

// Cache of pieces in one call of encode, since words repeat.
using Cache = std::unordered_map<std::string_view, std::pair<std::uint32_t, std::uint32_t>>; // piece → ids [from, to) of the output

class BpeEncoder final : public Encoder {
public:
    BpeEncoder(std::shared_ptr<const Vocabulary> vocabulary, PreTokenizer preTokenizer)
        : m_vocabulary(std::move(vocabulary)), m_preTokenizer(std::move(preTokenizer)) {
        for (unsigned byte = 0; byte < 256; ++byte) {
            std::string& spelled = m_spelled[byte];
            appendUtf8(spelled, characterOfByte(static_cast<unsigned char>(byte)));
            m_byteSymbols[byte] = intern(spelled);
            m_byteOf.emplace(spelled, byte);
        }
        for (std::size_t i = 0; i < m_vocabulary->merges.size(); ++i)
            addMerge(m_vocabulary->merges[i], static_cast<std::int32_t>(i));
        for (const std::string& merge : m_vocabulary->merges) noteJoin(merge);
    }

    Result<void> encode(std::string_view fragment, bool, const std::stop_token& stop, std::vector<TokenId>& out) const override {
        std::string escaped;
        if (m_vocabulary->escapeBlanks) {
            escaped = withMarks(fragment);
            fragment = escaped;
        }
        Work work{out, stop, std::vector<Cache>(m_preTokenizer.steps() + 2), {}, {}, 0};
        work.pieces.resize(m_preTokenizer.steps() + 1);
        if (!fragment.empty()) WB_TRY(encodeStep(fragment, 0, work));
        return {};
    }

private:
    // State of one call of encode.
    struct Work {
        std::vector<TokenId>& out;
        const std::stop_token& stop;
        std::vector<Cache> caches;                         // by the step that comes next
        std::vector<std::vector<std::string_view>> pieces; // that a step made
        MergeList<Rule> list;
        std::size_t count; // of pieces
    };

    // What becomes of a piece depends on its text and on the steps that are left, so it is remembered before each of them: most
    // words go through the later expressions once.
    Result<void> encodeStep(std::string_view piece, std::size_t step, Work& work) const {
        Cache& cache = work.caches[step];
        const bool isShort = step > 0 && piece.size() <= longestCached;
        if (isShort)
            if (const auto known = cache.find(piece); known != cache.end()) {
                for (std::uint32_t i = known->second.first; i < known->second.second; ++i) work.out.push_back(TokenId{work.out[i]});
                return {};
            }
        const std::size_t before = work.out.size();
        WB_TRY(encodePieces(piece, step, work));
        if (isShort && cache.size() < cachedPieces && work.out.size() <= UINT32_MAX)
            cache.emplace(piece, std::pair{static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(work.out.size())});
        return {};
    }

    Result<void> encodePieces(std::string_view piece, std::size_t step, Work& work) const {
        if (step > m_preTokenizer.steps() || (step == m_preTokenizer.steps() && !mayDivide(piece))) {
            if (++work.count % 4096 == 0) WB_TRY(checkStop(work.stop));
            encodePiece(piece, work.list, work.out);
            return {};
        }
        std::vector<std::string_view>& pieces = work.pieces[step];
        pieces.clear();
        if (step == m_preTokenizer.steps()) divide(piece, pieces);
        else m_preTokenizer.splitStep(step, piece, pieces);
        for (const std::string_view part : pieces) WB_TRY(encodeStep(part, step + 1, work));
        return {};
    }

    // Characters that stand side by side and that no merge joins never become one token: a long piece may be cut there. Which ones
    // a merge joins follows from their bytes, or of U+2581, before which most lines are cut, by the character before it.
    void noteJoin(std::string_view merge) {
        const std::size_t blank = merge.find(' ', 1);
        if (blank == std::string_view::npos || blank + 1 == merge.size()) return;
        const std::string_view before = lastCharacter(merge.substr(0, blank)), behind = merge.substr(blank + 1);
        if (behind.starts_with(blankMark)) m_joinedToBlank.emplace(before);
        const auto left = m_byteOf.find(std::string(before)),
                   right = m_byteOf.find(std::string(behind.substr(0, characterBytes(behind[0]))));
        if (left != m_byteOf.end() && right != m_byteOf.end()) m_joined[left->second * 256u + right->second] = true;
    }

    static std::string_view lastCharacter(std::string_view text) {
        std::size_t begin = text.size() - 1;
        while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
        return text.substr(begin);
    }

    // Short pieces are remembered as they are; a whole piece may be a token where merges are ignored.
    bool mayDivide(std::string_view piece) const {
        if (m_vocabulary->escapeBlanks) return true;
        return m_vocabulary->byteEncoded && !m_vocabulary->ignoreMerges && piece.size() > longestCached;
    }

    bool isJoined(std::string_view piece, std::size_t at) const {
        if (m_vocabulary->byteEncoded)
            return m_joined[static_cast<unsigned char>(piece[at - 1]) * 256u + static_cast<unsigned char>(piece[at])];
        if (!piece.substr(at).starts_with(blankMark)) return true;
        const std::string_view before = lastCharacter(piece.substr(0, at));
        return before == blankMark || m_joinedToBlank.contains(std::string(before));
    }

    void divide(std::string_view piece, std::vector<std::string_view>& pieces) const {
        std::size_t begin = 0;
        for (std::size_t at = 1; at < piece.size(); ++at) {
            if (isJoined(piece, at)) continue;
            pieces.push_back(piece.substr(begin, at - begin));
            begin = at;
        }
        pieces.push_back(piece.substr(begin));
    }

    static std::string withMarks(std::string_view text) {
        std::string out;
        for (const char c : text) c == ' ' ? out += blankMark : out += c;
        return out;
    }

    SymbolId intern(std::string_view text) {
        const auto known = m_symbols.find(std::string(text));
        if (known != m_symbols.end()) return known->second;
        const auto id = static_cast<SymbolId>(m_tokenOf.size());
        m_tokenOf.push_back(m_vocabulary->find(text));
        m_symbols.emplace(text, id);
        return id;
    }

    // A merge is "left right", divided at the first blank after its first character.
    void addMerge(std::string_view merge, std::int32_t rank) {
        const std::size_t blank = merge.find(' ', 1);
        if (blank == std::string_view::npos) return;
        const SymbolId left = intern(merge.substr(0, blank));
        const SymbolId right = intern(merge.substr(blank + 1));
        const SymbolId result = intern(std::string(merge.substr(0, blank)) + std::string(merge.substr(blank + 1)));
        m_merges.try_emplace(static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right), Merge{rank, result});
    }

    void encodePiece(std::string_view piece, MergeList<Rule>& list, std::vector<TokenId>& out) const {
        if (takesWhole(piece))
            if (const TokenId whole = m_vocabulary->find(spelledFromPiece(piece)); whole != noToken) return out.push_back(whole);
        list.clear();
        for (std::size_t at = 0; at < piece.size();) {
            const std::size_t length = m_vocabulary->byteEncoded ? 1 : std::min(characterBytes(piece[at]), piece.size() - at);
            list.add(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + length),
                     symbolFromCharacter(piece.substr(at, length)));
            at += length;
        }
        list.merge(Rule{&m_merges});
        list.forEach([&](const auto& symbol) { append(symbol.id, piece.substr(symbol.begin, symbol.end - symbol.begin), out); });
    }

    // Pieces that are a token and are not split: all of them where the vocabulary ignores merges, runs of newlines of gemma4.
    bool takesWhole(std::string_view piece) const {
        return m_vocabulary->ignoreMerges || (m_vocabulary->escapeBlanks && piece.front() == '\n');
    }

    std::string spelledFromPiece(std::string_view piece) const {
        if (!m_vocabulary->byteEncoded) return std::string(piece);
        std::string out;
        for (const char byte : piece) out += m_spelled[static_cast<unsigned char>(byte)];
        return out;
    }

    SymbolId symbolFromCharacter(std::string_view character) const {
        if (m_vocabulary->byteEncoded) return m_byteSymbols[static_cast<unsigned char>(character.front())];
        const auto known = m_symbols.find(std::string(character));
        return known == m_symbols.end() ? -1 : known->second;
    }

    // What has become no token is spelled by its characters, or by bytes; characters that are no token either are dropped.
    void append(SymbolId symbol, std::string_view text, std::vector<TokenId>& out) const {
        const TokenId token = symbol >= 0 ? m_tokenOf[static_cast<std::size_t>(symbol)] : m_vocabulary->find(text);
        if (token != noToken) return out.push_back(token);
        for (const char byte : text) {
            const auto value = static_cast<unsigned char>(byte);
            const TokenId spelled =
                m_vocabulary->byteEncoded ? m_vocabulary->find(m_spelled[value]) : m_vocabulary->byteToken(value);
            if (spelled != noToken) out.push_back(spelled);
        }
    }

    std::shared_ptr<const Vocabulary> m_vocabulary;
    PreTokenizer m_preTokenizer;
    std::array<std::string, 256> m_spelled;
    std::array<SymbolId, 256> m_byteSymbols{};
    std::unordered_map<std::string, SymbolId> m_symbols;
    std::vector<TokenId> m_tokenOf; // by symbol
    std::unordered_map<std::uint64_t, Merge, PairHash> m_merges;
    std::unordered_map<std::string, unsigned> m_byteOf;    // characters that spell bytes
    std::vector<bool> m_joined = std::vector<bool>(65536); // [byte before][byte behind]
    std::unordered_set<std::string> m_joinedToBlank;       // characters
};

} // namespace

char32_t characterOfByte(unsigned char byte) {
    const auto isPrintable = [](unsigned c) { return (c >= 33 && c <= 126) || (c >= 161 && c <= 172) || c >= 174; };
    if (isPrintable(byte)) return byte;
    char32_t next = 256;
    for (unsigned c = 0; c < byte; ++c) next += !isPrintable(c);
    return next;
}

Result<std::unique_ptr<Encoder>> makeBpeEncoder(std::shared_ptr<const Vocabulary> vocabulary) {
    WB_TRY_ASSIGN(PreTokenizer preTokenizer, PreTokenizer::find(vocabulary->pre));
    return std::make_unique<BpeEncoder>(std::move(vocabulary), std::move(preTokenizer));
}

} // namespace wb::text
