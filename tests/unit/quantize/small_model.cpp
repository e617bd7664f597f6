// SPDX-License-Identifier: MIT
#include "tests/unit/quantize/small_model.h"

#include "core/formats/gguf/gguf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace wb::quantize {
namespace {

std::vector<gguf::WrittenTensor> tensorsFromLayers(unsigned layers) {
    std::vector<gguf::WrittenTensor> tensors = {{"output_norm.weight", *Shape::make({256}), Dtype::F32},
                                                {"token_embd.weight", *Shape::make({64, 256}), Dtype::F32}};
    for (unsigned layer = 0; layer < layers; ++layer)
        for (const char* part : {"attn_v.weight", "ffn_down.weight", "ffn_up.weight"})
            tensors.push_back({fmt::format("blk.{}.{}", layer, part), *Shape::make({256, 256}), Dtype::F32});
    return tensors;
}

std::vector<gguf::StoredPair> pairsFromLayers(unsigned layers) {
    return {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", layers),
            gguf::makePair("llama.attention.head_count", 4u), gguf::makePair("my.own.key", std::string_view("kept"))};
}

// A whole file with values from a fixed sequence.
std::string pairsFile(const std::vector<gguf::StoredPair>& pairs, const std::vector<gguf::WrittenTensor>& tensors,
                      std::uint32_t state) {
    const auto layout = gguf::layOut(pairs, tensors);
    std::string content = layout->header;
    content.resize(layout->fileBytes, '\0');
    for (std::size_t at = layout->header.size(); at + 4 <= content.size(); at += 4) {
        state = state * 1664525u + 1013904223u;
        const float value = static_cast<float>(static_cast<std::int32_t>(state)) * 1e-11f;
        std::memcpy(&content[at], &value, 4);
    }
    return content;
}

} // namespace

std::filesystem::path writeSmallModel(const test::TemporaryFolder& folder, unsigned layers, float poison) {
    std::string content = pairsFile(pairsFromLayers(layers), tensorsFromLayers(layers), 1);
    std::memcpy(&content[content.size() - 400], &poison, 4);
    return folder.file("small.gguf", content);
}

std::filesystem::path writeModel(const test::TemporaryFolder& folder, const std::string& name,
                                 const std::vector<gguf::StoredPair>& pairs, const std::vector<gguf::WrittenTensor>& tensors) {
    return folder.file(name, pairsFile(pairs, tensors, 1));
}

std::filesystem::path writeSplitModel(const test::TemporaryFolder& folder, unsigned layers, unsigned parts) {
    const auto all = tensorsFromLayers(layers);
    auto pairs = pairsFromLayers(layers);
    std::filesystem::path first;
    for (unsigned part = 0; part < parts; ++part) {
        pairs.push_back(gguf::makePair("split.no", static_cast<std::uint16_t>(part)));
        pairs.push_back(gguf::makePair("split.count", static_cast<std::uint16_t>(parts)));
        pairs.push_back(gguf::makePair("split.tensors.count", static_cast<std::int32_t>(all.size())));
        const std::vector<gguf::WrittenTensor> here(all.begin() + static_cast<std::ptrdiff_t>(all.size() * part / parts),
                                                    all.begin() + static_cast<std::ptrdiff_t>(all.size() * (part + 1) / parts));
        const auto path = folder.file(fmt::format("split-{:05}-of-{:05}.gguf", part + 1, parts), pairsFile(pairs, here, part + 1));
        if (part == 0) first = path;
        pairs.clear();
    }
    return first;
}

std::shared_ptr<const quant::Imatrix> makeMatrix(const test::TemporaryFolder& folder, const std::string& name,
                                                 const std::map<std::string, std::vector<float>>& entries) {
    std::string content;
    const auto append = [&](std::size_t number) {
        const auto value = static_cast<std::int32_t>(number);
        content.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    append(entries.size());
    for (const auto& [weight, values] : entries) {
        append(weight.size());
        content += weight;
        append(1); // calls
        append(values.size());
        content.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    }
    auto matrix = quant::readImatrix(folder.file(name, content));
    EXPECT_TRUE(matrix) << (matrix ? "" : matrix.error().message());
    return matrix ? std::make_shared<const quant::Imatrix>(std::move(*matrix)) : nullptr;
}

ModelPtr openStrict(const std::filesystem::path& path) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    auto model = gguf::open(path, options);
    EXPECT_TRUE(model) << (model ? "" : model.error().message());
    return model ? *model : nullptr;
}

QuantizePlan planFile(const std::filesystem::path& path, quant::FileType type, bool keepSplit) {
    QuantizeRequest request;
    request.mix.fileType = type;
    request.keepSplit = keepSplit;
    auto plan = planQuantize(openStrict(path), request);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().message());
    return plan ? *plan : QuantizePlan{};
}

} // namespace wb::quantize
