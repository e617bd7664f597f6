// SPDX-License-Identifier: MIT
#include "tests/unit/convert/small_model.h"

#include "core/formats/gguf/gguf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace wb::convert {
namespace {

std::vector<gguf::WrittenTensor> tensorsOf(unsigned layers) {
    std::vector<gguf::WrittenTensor> tensors = {{"output_norm.weight", *Shape::make({256}), Dtype::F32},
                                                {"token_embd.weight", *Shape::make({64, 256}), Dtype::F32}};
    for (unsigned layer = 0; layer < layers; ++layer)
        for (const char* part : {"attn_v.weight", "ffn_down.weight", "ffn_up.weight"})
            tensors.push_back({fmt::format("blk.{}.{}", layer, part), *Shape::make({256, 256}), Dtype::F32});
    return tensors;
}

} // namespace

std::filesystem::path writeSmallModel(const test::TemporaryFolder& folder, unsigned layers, float poison) {
    const std::vector<gguf::StoredPair> pairs = {gguf::makePair("general.architecture", std::string_view("llama")),
                                                 gguf::makePair("llama.block_count", layers),
                                                 gguf::makePair("llama.attention.head_count", 4u),
                                                 gguf::makePair("my.own.key", std::string_view("kept"))};
    const auto layout = gguf::layOut(pairs, tensorsOf(layers));
    std::string content = layout->header;
    content.resize(layout->fileBytes, '\0');
    std::uint32_t state = 1;
    for (std::size_t at = layout->header.size(); at + 4 <= content.size(); at += 4) {
        state = state * 1664525u + 1013904223u;
        const float value = static_cast<float>(static_cast<std::int32_t>(state)) * 1e-11f;
        std::memcpy(&content[at], &value, 4);
    }
    std::memcpy(&content[content.size() - 400], &poison, 4);
    return folder.file("small.gguf", content);
}

ModelPtr openStrict(const std::filesystem::path& path) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    auto model = gguf::open(path, options);
    EXPECT_TRUE(model) << (model ? "" : model.error().message());
    return model ? *model : nullptr;
}

} // namespace wb::convert
