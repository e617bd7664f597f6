// SPDX-License-Identifier: MIT
#include "tests/gui/convert/small_model.h"

#include "core/formats/gguf/writer.h"

#include <QFile>

#include <cstring>

namespace wb::test {
namespace {

using Pairs = std::vector<gguf::StoredPair>;

Pairs llama() {
    return {gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 2u),
            gguf::makePair("llama.embedding_length", 256u), gguf::makePair("llama.attention.head_count", 4u)};
}

std::vector<gguf::WrittenTensor> allTensors() {
    std::vector<gguf::WrittenTensor> tensors = {{"output_norm.weight", *Shape::make({256}), Dtype::F32},
                                                {"token_embd.weight", *Shape::make({64, 256}), Dtype::F32}};
    for (int layer = 0; layer < 2; ++layer)
        for (const char* part : {"attn_v", "ffn_down", "ffn_up"})
            tensors.push_back({fmt::format("blk.{}.{}.weight", layer, part), *Shape::make({256, 256}), Dtype::F32});
    return tensors;
}

QString write(const QString& path, const Pairs& pairs, const std::vector<gguf::WrittenTensor>& tensors) {
    const auto layout = gguf::layOut(pairs, tensors);
    QByteArray content = QByteArray::fromStdString(layout->header);
    content.resize(static_cast<qsizetype>(layout->fileBytes));
    std::uint32_t state = 1;
    for (qsizetype at = static_cast<qsizetype>(layout->header.size()); at + 4 <= content.size(); at += 4) {
        state = state * 1664525u + 1013904223u;
        const float value = static_cast<float>(static_cast<std::int32_t>(state)) * 1e-11f;
        std::memcpy(content.data() + at, &value, 4);
    }
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write(content);
    return path;
}

} // namespace

QString writeModel(const QString& folder) { return write(folder + QStringLiteral("/model-f32.gguf"), llama(), allTensors()); }

QString writeModelWithTemplate(const QString& folder, std::string_view source) {
    Pairs pairs = llama();
    pairs.push_back(gguf::makePair("tokenizer.chat_template", source));
    return write(folder + QStringLiteral("/template.gguf"), pairs, allTensors());
}

QString writeModelWith(const QString& path, const std::vector<std::string>& tensors) {
    std::vector<gguf::WrittenTensor> written;
    for (const std::string& name : tensors) written.push_back({name, *Shape::make({256, 256}), Dtype::F32});
    return write(path, llama(), written);
}

QString writeSplitModel(const QString& folder) {
    const auto tensors = allTensors();
    const auto half = tensors.begin() + 4;
    QStringList paths;
    for (std::uint16_t part = 0; part < 2; ++part) {
        Pairs pairs = part == 0 ? llama() : Pairs();
        pairs.push_back(gguf::makePair("split.no", part));
        pairs.push_back(gguf::makePair("split.count", std::uint16_t{2}));
        pairs.push_back(gguf::makePair("split.tensors.count", static_cast<std::int32_t>(tensors.size())));
        paths << write(folder + QStringLiteral("/model-f32-0000%1-of-00002.gguf").arg(part + 1), pairs,
                       part == 0 ? std::vector(tensors.begin(), half) : std::vector(half, tensors.end()));
    }
    return paths[0];
}

QString writeMatrix(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    const auto number = [&file](int value) { file.write(reinterpret_cast<const char*>(&value), 4); };
    const QByteArray tensor = "blk.0.ffn_up.weight";
    number(1);
    number(static_cast<int>(tensor.size()));
    file.write(tensor);
    number(1);
    number(256);
    const std::vector<float> values(256, 1.0f);
    file.write(reinterpret_cast<const char*>(values.data()), 1024);
    return path;
}

} // namespace wb::test
