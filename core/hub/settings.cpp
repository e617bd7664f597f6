// SPDX-License-Identifier: MIT
#include "core/hub/settings.h"

#include "core/base/ascii.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

namespace wb::hub {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t maxTokenFile = 4096;

fs::path folderFromText(std::string_view text) { return fs::path(std::u8string(text.begin(), text.end())); }

bool isSet(const std::string& value) {
    return value == "1" || ascii::same(value, "true") || ascii::same(value, "yes") || ascii::same(value, "on");
}

std::string environmentFirst(const Environment& environment, std::span<const char* const> variables) {
    for (const char* variable : variables)
        if (std::string value = environment(variable); !value.empty()) return value;
    return {};
}

std::string trimmed(std::string text) {
    const auto isBlank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    while (!text.empty() && isBlank(text.back())) text.pop_back();
    text.erase(text.begin(), std::ranges::find_if_not(text, isBlank));
    return text;
}

// A token is one word; anything else would end up in a header.
std::string tokenIn(std::string text) {
    text = trimmed(std::move(text));
    const bool isWord = std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7F; });
    return isWord ? text : std::string();
}

std::string tokenOfFile(const fs::path& path) {
    const auto file = io::FileSource::open(path);
    if (!file || (*file)->size() > maxTokenFile) return {};
    std::string text((*file)->size(), '\0');
    if (!(*file)->readAt(0, std::as_writable_bytes(std::span(text)))) return {};
    return tokenIn(std::move(text));
}

Result<net::Url> endpointFromText(std::string text, const char* usual) {
    if (text.empty()) text = usual;
    while (text.ends_with('/')) text.pop_back();
    if (text.find("://") == std::string::npos) text = "https://" + text;
    const auto url = net::parseUrl(text);
    if (url && url->target.find('?') == std::string::npos && (url->isSecure() || net::isLoopback(url->host))) return *url;
    return fail(ErrorCode::Invalid, Reason("hub.bad_endpoint"), About{text},
                WB_TEXT("{} is not an allowed hub address; it must start with https:// (http:// only on this machine) and contain "
                        "no password."),
                text);
}

bool isOneOf(const std::string& host, std::span<const char* const> hosts) {
    return std::ranges::any_of(hosts, [&host](std::string_view known) { return host == known; });
}

fs::path environmentHome(const Environment& environment) {
    static constexpr std::array homes = {"HOME", "USERPROFILE"};
    return folderFromText(environmentFirst(environment, homes));
}

fs::path environmentCacheHome(const Environment& environment) {
    const std::string named = environment("XDG_CACHE_HOME");
    if (!named.empty()) return folderFromText(named);
    const fs::path home = environmentHome(environment);
    return home.empty() ? fs::path() : home / ".cache";
}

std::string huggingFaceToken(const Environment& environment, const fs::path& home) {
    static constexpr std::array variables = {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"};
    if (std::string token = tokenIn(environmentFirst(environment, variables)); !token.empty()) return token;
    if (isSet(environment("HF_HUB_DISABLE_IMPLICIT_TOKEN"))) return {};
    const std::string named = environment("HF_TOKEN_PATH");
    const fs::path file = named.empty() ? (home.empty() ? fs::path() : home / "token") : folderFromText(named);
    return file.empty() ? std::string() : tokenOfFile(file);
}

Result<void> readHuggingFace(const Environment& environment, Settings& settings) {
    static constexpr std::array hosts = {"huggingface.co", "www.huggingface.co", "hf.co"};
    WB_TRY_ASSIGN(settings.huggingFace.endpoint, endpointFromText(environment("HF_ENDPOINT"), "https://huggingface.co"));
    settings.huggingFace.isHubItself = isOneOf(settings.huggingFace.endpoint.host, hosts);
    const std::string namedHome = environment("HF_HOME");
    const fs::path cache = environmentCacheHome(environment);
    const fs::path home = namedHome.empty() ? (cache.empty() ? fs::path() : cache / "huggingface") : folderFromText(namedHome);
    settings.huggingFace.token = huggingFaceToken(environment, home);
    static constexpr std::array caches = {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"};
    const std::string namedCache = environmentFirst(environment, caches);
    settings.huggingFaceCache = namedCache.empty() ? (home.empty() ? fs::path() : home / "hub") : folderFromText(namedCache);
    settings.isOffline = isSet(environment("HF_HUB_OFFLINE"));
    return {};
}

// The credentials that ModelScope's client stores are a pickle and are never read.
Result<void> readModelScope(const Environment& environment, Settings& settings) {
    static constexpr std::array endpoints = {"MODELSCOPE_ENDPOINT", "MODELSCOPE_DOMAIN"};
    static constexpr std::array hosts = {"modelscope.cn", "www.modelscope.cn", "modelscope.ai", "www.modelscope.ai"};
    const char* usual = isSet(environment("MODELSCOPE_PREFER_AI_SITE")) ? "https://www.modelscope.ai" : "https://modelscope.cn";
    settings.modelScope.hub = Hub::ModelScope;
    WB_TRY_ASSIGN(settings.modelScope.endpoint, endpointFromText(environmentFirst(environment, endpoints), usual));
    settings.modelScope.isHubItself = isOneOf(settings.modelScope.endpoint.host, hosts);
    settings.modelScope.token = tokenIn(environment("MODELSCOPE_API_TOKEN"));
    const std::string named = environment("MODELSCOPE_CACHE");
    const fs::path home = environmentHome(environment); // its client knows no XDG_CACHE_HOME
    settings.modelScopeCache = named.empty() ? (home.empty() ? fs::path() : home / ".cache/modelscope") : folderFromText(named);
    return {};
}

} // namespace

std::string environmentOfProcess(const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? std::string() : std::string(value);
}

Result<Settings> settingsFrom(const Environment& environment) {
    Settings settings;
    WB_TRY(readHuggingFace(environment, settings));
    WB_TRY(readModelScope(environment, settings));
    return settings;
}

} // namespace wb::hub
