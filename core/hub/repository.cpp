// SPDX-License-Identifier: MIT
#include "core/hub/repository.h"

#include "core/base/text.h"
#include "core/io/byte_source.h"

#include <algorithm>

namespace wb::hub {
namespace {

constexpr std::size_t maxNameBytes = 256;
constexpr std::size_t prefixBytes = 3; // "hf:"

std::optional<Hub> hubFromText(std::string_view text) {
    for (const Hub hub : allHubs)
        if (text.starts_with(std::string(shortName(hub)) + ":")) return hub;
    return std::nullopt;
}

// Names become parts of addresses and folders. Chinese ones are common on ModelScope.
bool isName(std::string_view name) {
    const auto isRefused = [](char c) { return std::string_view(" ?#%&*\"'<>|").find(c) != std::string_view::npos; };
    return name.size() <= maxNameBytes && std::ranges::count(name, '/') <= 1 && io::isPlainRelativeName(name) &&
           std::ranges::none_of(name, isRefused) && !name.starts_with('.');
}

bool isRevision(std::string_view revision) {
    const auto isRefused = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F || c == '\\'; };
    return revision.size() <= maxNameBytes && isUtf8(revision) && std::ranges::none_of(revision, isRefused) &&
           revision.find("..") == std::string_view::npos;
}

} // namespace

const char* shortName(Hub hub) { return hub == Hub::HuggingFace ? "hf" : "ms"; }
const char* fullName(Hub hub) { return hub == Hub::HuggingFace ? "Hugging Face" : "ModelScope"; }

std::string Repository::revisionOrMain() const {
    if (!revision.empty()) return revision;
    return hub == Hub::HuggingFace ? "main" : "master";
}

std::string Repository::text() const { return std::string(shortName(hub)) + ":" + name + (revision.empty() ? "" : "@" + revision); }

bool isRemoteId(std::string_view text) { return hubFromText(text).has_value(); }

Result<RemoteId> parseRemoteId(std::string_view text) {
    const auto hub = hubFromText(text);
    RemoteId id;
    if (hub) {
        id.repository.hub = *hub;
        std::string_view rest = text.substr(prefixBytes);
        const std::size_t colon = rest.find(':');
        if (colon != std::string_view::npos) id.file = rest.substr(colon + 1);
        const bool hasEmptyFile = colon != std::string_view::npos && id.file.empty();
        rest = rest.substr(0, colon);
        const std::size_t at = rest.find('@');
        if (at != std::string_view::npos) id.repository.revision = rest.substr(at + 1);
        const bool hasEmptyRevision = at != std::string_view::npos && id.repository.revision.empty();
        id.repository.name = rest.substr(0, at);
        const bool hasOwner = id.repository.name.find('/') != std::string::npos;
        const bool isWhole = !hasEmptyFile && !hasEmptyRevision && (hasOwner || *hub == Hub::HuggingFace);
        if (isWhole && isName(id.repository.name) && isRevision(id.repository.revision)) return id;
    }
    return fail(ErrorCode::Invalid, Reason("hub.bad_id"), About{escapeControls(toUtf8(utf8Prefix(text, maxNameBytes)))},
                WB_TEXT("{} is not a hub ID; use hf:owner/name or ms:owner/name, optionally followed by @revision."),
                escapeControls(toUtf8(utf8Prefix(text, maxNameBytes))));
}

} // namespace wb::hub
