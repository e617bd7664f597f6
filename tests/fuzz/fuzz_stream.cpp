// SPDX-License-Identifier: MIT
#include "core/formats/stream/stream.h"

#include <cstdlib>

// The first byte chooses the codec, since a codec is also asked for data that do not look like its own.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace wb::stream;
    if (size == 0) return 0;
    constexpr std::uint64_t most = 1 << 20;
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
    const wb::io::MemorySource source("input.bin", std::vector(bytes.begin(), bytes.end()));
    const auto chosen = static_cast<StreamKind>(1 + data[0] % static_cast<unsigned>(lastKind));
    for (const StreamKind kind : {chosen, sniff(bytes)}) {
        const auto content = unpack(source, kind, most, {});
        if (content ? content->size() > most : content.error().message().find("input.bin") == std::string::npos) std::abort();
    }
    return 0;
}
