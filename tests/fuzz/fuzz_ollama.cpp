// SPDX-License-Identifier: MIT
#include "core/io/digests/hex.h"
#include "core/library/ollama_manifest.h"

#include <cstdlib>

// Every digest of a manifest becomes the name of a file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto manifest = wb::library::parseOllamaManifest({reinterpret_cast<const char*>(data), size}, "input");
    if (!manifest) return 0;
    for (const wb::library::OllamaLayer& layer : manifest->layers)
        if (!wb::io::isHex(layer.digest, 64)) std::abort();
    return 0;
}
