// SPDX-License-Identifier: MIT
#include "core/formats/safetensors/safetensors.h"
#include "tests/fuzz/touch_model.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = std::make_shared<wb::io::MemorySource>("input.safetensors", std::vector(bytes.begin(), bytes.end()));
    wb::formats::OpenOptions options;
    const auto lenient = wb::safetensors::open(source, options);
    if (lenient) wb::fuzz::touchModel(**lenient);
    options.strictness = wb::formats::Strictness::Strict;
    const auto strict = wb::safetensors::open(source, options);
    // What a loader takes can always be looked at, and every refusal names the file.
    if (strict && !lenient) std::abort();
    if (!lenient && lenient.error().message().find("input.safetensors") == std::string::npos) std::abort();
    if (!strict && strict.error().message().find("input.safetensors") == std::string::npos) std::abort();
    return 0;
}
