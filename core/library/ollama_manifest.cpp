// SPDX-License-Identifier: MIT
#include "core/library/ollama_manifest.h"

#include "core/formats/json/json.h"
#include "core/io/digests/hex.h"

#include <algorithm>

namespace wb::library {
namespace {

constexpr std::uint64_t maxLayers = 10'000;

std::unexpected<Error> refuse(const std::string& name, const char* why) {
    Error error = makeError(ErrorCode::Malformed, Reason("library.manifest"), About{name},
                            WB_TEXT("The manifest of {} is corrupted; pull the model again with Ollama."), name);
    error.detail = why;
    return std::unexpected(std::move(error));
}

Result<OllamaLayer> readLayer(const Value& value, const std::string& name, std::string_view kind) {
    if (!value.object()) return refuse(name, WB_TEXT("a layer is not an object"));
    const Value* digest = value.object()->find("digest");
    const Value* size = value.object()->find("size");
    const Value* type = value.object()->find("mediaType");
    const auto digits = digest && digest->string() ? ollamaDigest(*digest->string()) : std::nullopt;
    if (!digits) return refuse(name, WB_TEXT("the digest of a layer is not sha256: followed by 64 hexadecimal digits"));
    const auto bytes = size ? size->unsignedNumber() : std::nullopt;
    if (!bytes) return refuse(name, WB_TEXT("the size of a layer is not a number"));
    OllamaLayer layer{std::string(kind), *digits, *bytes};
    if (kind.empty() && type && type->string()) layer.kind = type->string()->substr(type->string()->rfind('.') + 1);
    return layer;
}

} // namespace

const OllamaLayer* OllamaManifest::layer(std::string_view kind) const {
    const auto found = std::ranges::find(layers, kind, [](const OllamaLayer& layer) { return std::string_view(layer.kind); });
    return found == layers.end() ? nullptr : &*found;
}

std::optional<std::string> ollamaDigest(std::string_view text) {
    if (!text.starts_with("sha256:") && !text.starts_with("sha256-")) return std::nullopt;
    text.remove_prefix(7);
    if (!io::isHex(text, 64)) return std::nullopt;
    return std::string(text);
}

Result<OllamaManifest> parseOllamaManifest(std::string_view text, const std::string& name) {
    std::vector<Problem> problems;
    formats::Limits limits;
    limits.keptJsonMembers = maxLayers;
    const auto value = json::parse(text, name, limits, problems);
    if (!value || !value->object()) return refuse(name, WB_TEXT("it is not JSON"));
    const Value* layers = value->object()->find("layers");
    if (!layers || !layers->array()) return refuse(name, WB_TEXT("it lists no layers"));
    if (!layers->array()->complete()) return refuse(name, WB_TEXT("it lists too many layers"));
    OllamaManifest manifest;
    for (const Value& layer : layers->array()->first) {
        WB_TRY_ASSIGN(manifest.layers.emplace_back(), readLayer(layer, name, ""));
    }
    if (const Value* config = value->object()->find("config")) {
        WB_TRY_ASSIGN(manifest.layers.emplace_back(), readLayer(*config, name, "config"));
    }
    return manifest;
}

} // namespace wb::library
