// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"
#include "core/model/tensor_reader.h"

#include <gmock/gmock.h>

#include <algorithm>

// What a reader in the worker does with damaged files, for the tests of all formats that read an index.
namespace wb::test {

// Reads the sources and everything that is found in them; a sentence must name the first one.
inline void readEverything(formats::ReadIndex read, formats::Unpack unpack, const formats::Sources& sources,
                           std::string_view wish) {
    const formats::OpenOptions options;
    auto index = read(sources, wish, options);
    if (!index) {
        EXPECT_THAT(index.error().message(), testing::HasSubstr(sources.front()->name()));
        return;
    }
    const Model model = formats::modelFromIndex(std::move(*index), sources, unpack);
    std::vector<std::byte> scratch;
    for (const TensorInfo& tensor : model.tensors) {
        const auto reader = TensorReader::open(model, tensor);
        if (!reader) continue;
        const std::uint64_t block = info(tensor.dtype).blockElements;
        std::vector<float> values(std::min<std::uint64_t>(tensor.shape.elements(), 64) / block * block);
        (void)reader->readF32(0, values, scratch);
    }
}

// Cuts `content`, the file at `place` among the sources, at every byte, and turns every byte of it, each in a copy of its own. Long
// files are cut and turned at about `most` places.
inline void cutAndBend(formats::ReadIndex read, formats::Unpack unpack, formats::Sources sources, std::size_t place,
                       const std::vector<std::byte>& content, std::string_view wish = {}, std::size_t most = 4096) {
    const std::string name = sources[place]->name();
    const std::size_t step = std::max<std::size_t>(content.size() / most, 1);
    for (std::size_t at = 0; at < content.size(); at += step) {
        std::vector<std::byte> cut(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(at));
        sources[place] = std::make_shared<io::MemorySource>(name, std::move(cut));
        readEverything(read, unpack, sources, wish);
        std::vector<std::byte> bent = content;
        bent[at] = ~bent[at];
        sources[place] = std::make_shared<io::MemorySource>(name, std::move(bent));
        readEverything(read, unpack, sources, wish);
    }
}

inline std::shared_ptr<io::ByteSource> inMemory(const std::filesystem::path& path, const std::vector<std::byte>& content) {
    return std::make_shared<io::MemorySource>(path.filename().string(), content);
}

} // namespace wb::test
