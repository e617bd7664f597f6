// SPDX-License-Identifier: MIT
#include "core/formats/gguf/gguf.h"
#include "tests/fuzz/touch_model.h"

#include <cstdlib>

namespace {

void touchArrays(const wb::Model& model) {
    for (const wb::Member& member : model.metadata.members) {
        const wb::ValueArray* array = member.value.array();
        if (!array || array->count == 0) continue;
        const std::uint64_t count = std::min<std::uint64_t>(array->count, 100);
        (void)wb::gguf::readArray(model, member.key, array->count - count, count);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = std::make_shared<wb::io::MemorySource>("input.gguf", std::vector(bytes.begin(), bytes.end()));
    wb::formats::OpenOptions options;
    const auto lenient = wb::gguf::open(source, options);
    if (lenient) {
        wb::fuzz::touchModel(**lenient);
        touchArrays(**lenient);
    }
    options.strictness = wb::formats::Strictness::Strict;
    const auto strict = wb::gguf::open(source, options);
    // What a loader takes can always be looked at, and every refusal names the file.
    if (strict && !lenient) std::abort();
    if (!lenient && lenient.error().message().find("input.gguf") == std::string::npos) std::abort();
    if (!strict && strict.error().message().find("input.gguf") == std::string::npos) std::abort();
    return 0;
}
