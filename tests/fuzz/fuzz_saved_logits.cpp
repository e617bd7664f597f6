// SPDX-License-Identifier: MIT
#include "core/infer/saved_logits.h"

#include <cstdlib>

// Saved logits of a stranger: what opens has every record it says it has.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    auto source = std::make_shared<wb::io::MemorySource>("input", std::vector<std::byte>(bytes, bytes + size));
    const auto reader = wb::infer::LogitsReader::open(std::move(source));
    if (!reader) return 0;
    const wb::infer::SavedLogitsHead& head = reader->head();
    const std::size_t records = head.windows() * head.positions();
    std::vector<float> out(head.vocabulary);
    for (const std::size_t index : {std::size_t{0}, records - 1})
        if (const auto read = reader->read(index, out); !read && read.error().reason != wb::Reason("infer.saved_logits"))
            std::abort();
    return 0;
}
