// SPDX-License-Identifier: MIT
#include "tests/screenshots/example_models.h"

#include "core/formats/gguf/writer.h"

namespace wb::screenshots {
namespace {

using gguf::WrittenTensor;

std::vector<WrittenTensor> matricesTensors(const ExampleModel& model, Dtype matrices) {
    const std::uint64_t width = model.width, keys = std::uint64_t{model.width} / model.heads * model.keyHeads;
    std::vector<WrittenTensor> tensors;
    const auto add = [&](std::string name, const Shape& shape) {
        tensors.push_back({std::move(name), shape, shape.rank() == 1 ? Dtype::F32 : matrices});
    };
    add("token_embd.weight", *Shape::make({model.words, width}));
    for (unsigned layer = 0; layer < model.layers; ++layer) {
        const std::string block = "blk." + std::to_string(layer) + ".";
        for (const char* norm : {"attn_norm", "ffn_norm"}) add(block + norm + ".weight", *Shape::make({width}));
        for (const char* square : {"attn_q", "attn_output"}) add(block + square + ".weight", *Shape::make({width, width}));
        for (const char* key : {"attn_k", "attn_v"}) add(block + key + ".weight", *Shape::make({keys, width}));
        for (const char* up : {"ffn_gate", "ffn_up"}) add(block + up + ".weight", *Shape::make({model.inner, width}));
        add(block + "ffn_down.weight", *Shape::make({width, model.inner}));
    }
    add("output_norm.weight", *Shape::make({width}));
    add("output.weight", *Shape::make({model.words, width}));
    return tensors;
}

} // namespace

ExampleFile exampleFile(const ExampleModel& model, const ExampleQuant& quant) {
    const std::vector<gguf::StoredPair> pairs = {gguf::makePair("general.architecture", std::string_view("llama")),
                                                 gguf::makePair("general.name", std::string_view(model.name)),
                                                 gguf::makePair("general.license", std::string_view("apache-2.0")),
                                                 gguf::makePair("general.file_type", quant.fileType),
                                                 gguf::makePair("llama.block_count", model.layers),
                                                 gguf::makePair("llama.context_length", model.context),
                                                 gguf::makePair("llama.embedding_length", model.width),
                                                 gguf::makePair("llama.feed_forward_length", model.inner),
                                                 gguf::makePair("llama.attention.head_count", model.heads),
                                                 gguf::makePair("llama.attention.head_count_kv", model.keyHeads),
                                                 gguf::makePair("llama.attention.layer_norm_rms_epsilon", 1e-5f),
                                                 gguf::makePair("llama.rope.dimension_count", model.width / model.heads),
                                                 gguf::makePair("llama.vocab_size", model.words)};
    auto layout = gguf::layOut(pairs, matricesTensors(model, quant.matrices));
    if (!layout) return {};
    return {std::move(layout->header), layout->fileBytes};
}

std::uint64_t exampleParameters(const ExampleModel& model) {
    std::uint64_t total = 0;
    for (const WrittenTensor& tensor : matricesTensors(model, Dtype::F16)) total += tensor.shape.elements();
    return total;
}

} // namespace wb::screenshots
