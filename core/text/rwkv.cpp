// SPDX-License-Identifier: MIT
#include "core/text/encoder.h"
#include "core/text/rwkv.h"

#include <algorithm>

namespace wb::text {
namespace {

int hexDigit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

class RwkvEncoder final : public Encoder {
public:
    explicit RwkvEncoder(std::shared_ptr<const Vocabulary> vocabulary) : m_vocabulary(std::move(vocabulary)) {
        for (std::size_t i = 0; i < m_vocabulary->tokens.size(); ++i) {
            std::string bytes = bytesOfEscaped(m_vocabulary->tokens[i].text);
            m_longest = std::max(m_longest, bytes.size());
            if (!bytes.empty()) m_ids.try_emplace(std::move(bytes), static_cast<TokenId>(i));
        }
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
    // Appends the longest token that the text begins with, or the unknown one for one byte; returns the bytes it stands for.
    std::size_t takeLongest(std::string_view text, std::vector<TokenId>& out) const {
        for (std::size_t length = std::min(m_longest, text.size()); length > 0; --length) {
            const auto found = m_ids.find(std::string(text.substr(0, length)));
            if (found == m_ids.end()) continue;
            out.push_back(found->second);
            return length;
        }
        if (m_vocabulary->special.unknown != noToken) out.push_back(m_vocabulary->special.unknown);
        return 1;
    }

    std::shared_ptr<const Vocabulary> m_vocabulary;
    std::unordered_map<std::string, TokenId> m_ids;
    std::size_t m_longest = 0;
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
        const bool isHex = escaped == 'x' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 && hexDigit(text[i + 2]) >= 0;
        if (isHex) {
            out += static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
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
