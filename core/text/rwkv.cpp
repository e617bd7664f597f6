// SPDX-License-Identifier: MIT
#include "core/base/ascii.h"
#include "core/text/encoder.h"
#include "core/text/rwkv.h"
#include "core/text/token_trie.h"

#include <algorithm>

namespace wb::text {
namespace {

class RwkvEncoder final : public Encoder {
public:
    explicit RwkvEncoder(std::shared_ptr<const Vocabulary> vocabulary) : m_vocabulary(std::move(vocabulary)) {
        std::vector<std::string> texts;
        for (const Token& token : m_vocabulary->tokens) texts.push_back(bytesOfEscaped(token.text));
        std::vector<TokenTrie::Entry> entries;
        for (std::size_t i = 0; i < texts.size(); ++i)
            if (!texts[i].empty()) entries.push_back({texts[i], static_cast<TokenId>(i)});
        m_tokens = TokenTrie::build(std::move(entries));
    }

    Result<void> encode(std::string_view fragment, bool, const std::stop_token& stop, std::vector<TokenId>& out) const override {
        std::size_t count = 0;
        while (!fragment.empty()) {
            if (++count % 16384 == 0) WB_TRY(checkStop(stop));
            fragment.remove_prefix(takeLongest(fragment, out));
        }
        return {};
    }

private:
    // Appends the longest token that the text starts with, or the unknown one for one byte; returns the bytes it stands for.
    std::size_t takeLongest(std::string_view text, std::vector<TokenId>& out) const {
        const TokenTrie::Match found = m_tokens.longest(text);
        const TokenId id = found.length > 0 ? found.id : m_vocabulary->special.unknown;
        if (id != noToken) out.push_back(id);
        return std::max<std::size_t>(found.length, 1);
    }

    std::shared_ptr<const Vocabulary> m_vocabulary;
    TokenTrie m_tokens;
};

} // namespace

std::string bytesOfEscaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char escaped = text[++i];
        const bool isHex =
            escaped == 'x' && i + 2 < text.size() && ascii::hexValue(text[i + 1]) >= 0 && ascii::hexValue(text[i + 2]) >= 0;
        if (isHex) {
            out += static_cast<char>(ascii::hexValue(text[i + 1]) * 16 + ascii::hexValue(text[i + 2]));
            i += 2;
        } else {
            out += escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
        }
    }
    return out;
}

std::unique_ptr<Encoder> makeRwkvEncoder(std::shared_ptr<const Vocabulary> vocabulary) {
    return std::make_unique<RwkvEncoder>(std::move(vocabulary));
}

} // namespace wb::text
