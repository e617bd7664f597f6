// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/sample_models.h"

#include <QFile>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <numeric>

namespace wb::test {
namespace {

TensorInfo tensor(std::string name, Dtype dtype, std::initializer_list<std::uint64_t> shape, std::uint64_t offset) {
    TensorInfo info;
    info.name = std::move(name);
    info.dtype = dtype;
    info.shape = *Shape::make(shape);
    info.source = TensorSource::stored(0, offset, rowBytes(dtype, info.shape.elements()).value_or(0));
    return info;
}

void addLayer(Model& model, std::uint32_t layer) {
    const auto add = [&](const char* part, Dtype dtype, std::initializer_list<std::uint64_t> shape) {
        model.tensors.push_back(tensor(fmt::format("blk.{}.{}.weight", layer, part), dtype, shape, model.tensors.size() * 65'536));
    };
    add("attn_norm", Dtype::F32, {256});
    add("attn_q", Dtype::Q4_K, {256, 256});
    add("attn_k", Dtype::Q4_K, {64, 256});
    add("attn_v", Dtype::Q6_K, {64, 256});
    add("attn_output", Dtype::Q4_K, {256, 256});
    add("ffn_norm", Dtype::F32, {256});
    add("ffn_gate", Dtype::Q4_K, {512, 256});
    add("ffn_up", Dtype::Q4_K, {512, 256});
    add("ffn_down", Dtype::Q6_K, {256, 512});
}

} // namespace

ModelPtr makeModel(std::uint32_t layers) {
    auto model = std::make_shared<Model>();
    model->format = FormatId::Gguf;
    model->version = "3";
    model->path = "/models/Sample-1B-Instruct-2507.gguf";
    model->folder = "/models";
    model->architecture = "llama";
    model->files.push_back({"Sample-1B-Instruct-2507.gguf", 1 << 20, {}, nullptr});
    model->tensors.push_back(tensor("token_embd.weight", Dtype::Q8_0, {1000, 256}, 0));
    for (std::uint32_t layer = layers; layer-- > 0;) addLayer(*model, layer);
    model->tensors.push_back(tensor("output_norm.weight", Dtype::F32, {256}, 1));

    const auto tokens = [] {
        ValueArray array{ValueType::String, 3, {}, std::nullopt};
        for (const char* token : {"<s>", "hello", "world"}) array.first.push_back(Value::of(std::string(token)));
        return array;
    }();
    ValueObject nested;
    nested.members.push_back({"type", Value::of(std::string("yarn"))});
    nested.count = 1;
    auto& members = model->metadata.members;
    members.push_back({"general.architecture", Value::of(std::string("llama"))});
    members.push_back({"llama.block_count", Value::ofUnsigned(ValueType::U32, layers)});
    members.push_back({"tokenizer.ggml.tokens", Value::of(tokens)});
    members.push_back({"rope_scaling", Value::of(nested)});
    model->metadata.count = members.size();
    model->problems.push_back(
        makeProblem(Severity::Warning, "gguf.gap", model->files[0].name, 1024, "There is a gap of {} bytes.", 32));
    return model;
}

stats::Contents makeContents(std::uint32_t layers) { return stats::modelContents(makeModel(layers)); }

stats::Contents makeContentsWithStatistics(std::uint32_t layers) {
    stats::Contents contents = makeContents(layers);
    for (std::uint32_t i = 0; i < contents.count(); ++i) {
        auto stats = std::make_shared<stats::TensorStats>();
        stats->count = stats->finite = contents.tensor(i).shape.elements();
        stats->min = -1.0 - i;
        stats->max = 2.0 + i;
        stats->absmax = 2.0 + i;
        stats->mean = 0.25 * i;
        stats->std = 1.0 + 0.5 * i;
        stats->kurtosis = i % 7;
        stats->zeros = i;
        stats->histogram = stats::Histogram{-1.0 - i, 2.0 + i, {1, 5, 10, 4, 2}};
        stats->top = {{i, stats::Element(2.0 + i)}};
        contents.stats[i] = stats;
    }
    return contents;
}

std::vector<SampleTensor> sampleTensors() {
    return {{"embed.weight", {2, 3}, {0, 1, 2, 3, 4, 5}},
            {"model.layers.0.self_attn.q_proj.weight", {2, 2}, {1, -1, 2, -2}},
            {"model.layers.1.self_attn.q_proj.weight", {2, 2}, {0.5F, 0.5F, 0.5F, 8}}};
}

QString writeSafetensors(const QTemporaryDir& folder, const QString& name, const std::vector<SampleTensor>& tensors) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    QByteArray data;
    for (const SampleTensor& sample : tensors) {
        const auto begin = data.size();
        data.append(reinterpret_cast<const char*>(sample.values.data()),
                    static_cast<qsizetype>(sample.values.size() * sizeof(float)));
        header[sample.name] = {{"dtype", "F32"}, {"shape", sample.shape}, {"data_offsets", {begin, data.size()}}};
    }
    const std::string text = header.dump();
    const auto length = static_cast<std::uint64_t>(text.size());
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file.write(QByteArray::fromStdString(text) + data);
    return file.fileName();
}

} // namespace wb::test
