// SPDX-License-Identifier: MIT
#include "core/scan/secrets.h"

#include "core/scan/examine.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace wb::scan {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t maxSecrets = 20;
constexpr std::size_t fewestLetters = 8; // different ones; a placeholder repeats itself

bool isAlnum(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool isUpper(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }
bool isHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool isUrlSafe(char c) { return isAlnum(c) || c == '-' || c == '_'; }
bool isBase64(char c) { return isAlnum(c) || c == '+' || c == '/'; }

struct TokenForm {
    const char* owner;
    std::string_view prefix;
    bool (*isPart)(char);
    std::size_t least; // characters after the prefix
};

// As their makers describe them to secret scanners. A longer prefix stands before its beginning.
constexpr std::array tokenForms = {
    TokenForm{"AWS", "AKIA", isUpper, 16},
    TokenForm{"AWS", "ASIA", isUpper, 16},
    TokenForm{"Anthropic", "sk-ant-", isUrlSafe, 40},
    TokenForm{"Azure", "AccountKey=", isBase64, 86},
    TokenForm{"Databricks", "dapi", isHexDigit, 32},
    TokenForm{"DigitalOcean", "dop_v1_", isHexDigit, 64},
    TokenForm{"GitHub", "ghp_", isAlnum, 36},
    TokenForm{"GitHub", "gho_", isAlnum, 36},
    TokenForm{"GitHub", "ghu_", isAlnum, 36},
    TokenForm{"GitHub", "ghs_", isAlnum, 36},
    TokenForm{"GitHub", "ghr_", isAlnum, 36},
    TokenForm{"GitHub", "github_pat_", isUrlSafe, 60},
    TokenForm{"GitLab", "glpat-", isUrlSafe, 20},
    TokenForm{"Google", "AIza", isUrlSafe, 35},
    TokenForm{"Google", "GOCSPX-", isUrlSafe, 28},
    TokenForm{"Hugging Face", "hf_", isAlnum, 34},
    TokenForm{"Hugging Face", "api_org_", isAlnum, 34},
    TokenForm{"npm", "npm_", isAlnum, 36},
    TokenForm{"OpenAI", "sk-proj-", isUrlSafe, 40},
    TokenForm{"OpenAI", "sk-svcacct-", isUrlSafe, 40},
    TokenForm{"OpenAI", "sk-", isAlnum, 48},
    TokenForm{"PyPI", "pypi-AgEI", isUrlSafe, 50},
    TokenForm{"Replicate", "r8_", isAlnum, 37},
    TokenForm{"Slack", "xoxb-", isUrlSafe, 24},
    TokenForm{"Slack", "xoxp-", isUrlSafe, 24},
    TokenForm{"Stripe", "sk_live_", isAlnum, 24},
    TokenForm{"Stripe", "rk_live_", isAlnum, 24},
};

bool isRandom(std::string_view text) {
    std::bitset<256> letters;
    for (const char c : text) letters.set(static_cast<unsigned char>(c));
    return letters.count() >= fewestLetters && text.find("EXAMPLE") == std::string_view::npos;
}

void findTokens(std::string_view text, const TokenForm& form, std::vector<Secret>& found) {
    for (std::size_t at = text.find(form.prefix); at != std::string_view::npos && found.size() < maxSecrets;
         at = text.find(form.prefix, at + form.prefix.size())) {
        if (at > 0 && (isAlnum(text[at - 1]) || text[at - 1] == '_')) continue;
        const std::string_view rest = text.substr(at + form.prefix.size());
        const auto end = std::ranges::find_if_not(rest, form.isPart);
        const std::string_view value = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
        const bool isLongEnough = value.size() >= form.least && (form.isPart != isUpper || value.size() == form.least);
        if (isLongEnough && isRandom(value))
            found.push_back({at, form.owner, std::string(form.prefix) + "…, " + std::to_string(form.prefix.size() + value.size())});
    }
}

// Characters of base64 in the lines that follow a label, which JSON writes as "\n".
std::size_t keyCharacters(std::string_view text) {
    constexpr std::size_t enough = 256;
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::min(text.size(), enough); ++i) {
        if (text[i] == '-') break;
        if (text[i] == '\\') ++i;
        else if (isBase64(text[i])) ++count;
    }
    return count;
}

void findPrivateKeys(std::string_view text, std::vector<Secret>& found) {
    constexpr auto begin = "-----BEGIN "sv;
    constexpr auto label = "PRIVATE KEY"sv;
    constexpr std::size_t longestLabel = 40;
    constexpr std::size_t fewest = 40;
    for (std::size_t at = text.find(begin); at != std::string_view::npos && found.size() < maxSecrets;
         at = text.find(begin, at + begin.size())) {
        const std::string_view rest = text.substr(at + begin.size());
        const std::size_t end = rest.substr(0, longestLabel).find("-----");
        if (end == std::string_view::npos || rest.substr(0, end).find(label) == std::string_view::npos) continue;
        if (keyCharacters(rest.substr(end + 5)) >= fewest)
            found.push_back({at, "", std::string(text.substr(at, begin.size() + end + 5))});
    }
}

void eachText(const Value& value, const auto& take) {
    if (const std::string* text = value.string()) take(*text);
    else if (const ValueArray* array = value.array())
        for (const Value& one : array->first) eachText(one, take);
    else if (const ValueObject* object = value.object())
        for (const Member& member : object->members) eachText(member.value, take);
}

} // namespace

std::vector<Secret> findSecrets(std::string_view text) {
    std::vector<Secret> found;
    findPrivateKeys(text, found);
    for (const TokenForm& form : tokenForms) findTokens(text, form, found);
    return found;
}

void Examiner::secrets(const Item& item, std::string_view text, std::optional<std::uint64_t> begin) {
    for (const Secret& secret : findSecrets(text)) {
        const auto position = begin ? std::optional(*begin + secret.position) : std::nullopt;
        if (*secret.owner == '\0')
            find(item, Severity::Warning, "metadata.secret", position,
                 WB_TEXT("{} contains a private key, which anyone with the file can use; revoke the key, and save the file without "
                         "it."));
        else
            find(item, Severity::Warning, "metadata.secret", position,
                 WB_TEXT("{} contains what looks like an access token of {} ({} characters), which anyone with the file can use; "
                         "revoke the token, and save the file without it."),
                 {secret.owner, secret.masked});
    }
}

void Examiner::secrets(const Item& item, const ValueObject& metadata) {
    for (const Member& member : metadata.members)
        eachText(member.value, [&](const std::string& text) { secrets(item, text, std::nullopt); });
}

// The start of an unsupported format, and texts between the values of pickles.
void Examiner::secrets(const Item& item, std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t most = 4 << 20;
    std::string text(std::min({end - begin, item.source->size() - begin, most}), '\0');
    if (item.source->readAt(begin, std::as_writable_bytes(std::span(text)))) secrets(item, text, begin);
}

} // namespace wb::scan
