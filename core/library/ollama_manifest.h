// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::library {

// One file of an Ollama model, kept as blobs/sha256-<digest>.
struct OllamaLayer {
    std::string kind;   // the last part of its media type: "model", "projector", "template", "config" …
    std::string digest; // 64 small hex digits
    std::uint64_t bytes = 0;
};

// A manifest of Ollama's store, manifests/<host>/<namespace>/<model>/<tag> (ollama/ollama: types/model, manifest/manifest.go): the
// layout of a container image whose layers are the files of a model.
struct OllamaManifest {
    std::vector<OllamaLayer> layers; // in stored order, the configuration last

    const OllamaLayer* layer(std::string_view kind) const; // the first of that media type; null: none
};

// Malformed where the text is no manifest or a digest is not exactly "sha256:" and 64 hex digits, since digests become names of
// files. `name` is the model's, for the sentence.
Result<OllamaManifest> parseOllamaManifest(std::string_view text, const std::string& name);

// The 64 digits of "sha256:…" or "sha256-…"; empty where the text is anything else.
std::optional<std::string> ollamaDigest(std::string_view text);

} // namespace wb::library
