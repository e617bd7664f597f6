// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"
#include "tests/fuzz/touch_model.h"

#include <cstdlib>

namespace wb::fuzz {

// Reads one file as the worker does and uses all that is found.
inline int touchIndex(std::span<const std::uint8_t> data, const std::string& name, formats::ReadIndex read,
                      formats::Unpack unpack = nullptr) {
    const auto bytes = std::as_bytes(data);
    const formats::Sources sources{std::make_shared<io::MemorySource>(name, std::vector(bytes.begin(), bytes.end()))};
    auto index = read(sources, {}, {});
    if (!index) {
        if (index.error().message().find(name) == std::string::npos) std::abort(); // a sentence names its file
        return 0;
    }
    touchModel(formats::modelFromIndex(std::move(*index), sources, unpack));
    return 0;
}

// The same of a file with a second one next to it, which is the same bytes.
inline int touchWithNeighbor(std::span<const std::uint8_t> data, const std::string& name, formats::ReadIndex read,
                             formats::Unpack unpack) {
    const auto bytes = std::as_bytes(data);
    const auto source = [&] { return std::make_shared<io::MemorySource>(name, std::vector(bytes.begin(), bytes.end())); };
    const formats::Sources sources{source(), source()};
    auto index = read(sources, "weight.bin\n", {});
    if (!index) {
        if (index.error().message().find(name) == std::string::npos) std::abort(); // a sentence names its file
        return 0;
    }
    touchModel(formats::modelFromIndex(std::move(*index), sources, unpack));
    return 0;
}

} // namespace wb::fuzz
