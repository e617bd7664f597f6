// SPDX-License-Identifier: MIT
#include "tests/gui/convert/small_model.h"

#include "core/formats/gguf/writer.h"

#include <QFile>

#include <cstring>

namespace wb::test {

QString writeModel(const QString& folder) {
    std::vector<gguf::WrittenTensor> tensors = {{"output_norm.weight", *Shape::make({256}), Dtype::F32},
                                                {"token_embd.weight", *Shape::make({64, 256}), Dtype::F32}};
    for (int layer = 0; layer < 2; ++layer)
        for (const char* part : {"attn_v", "ffn_down", "ffn_up"})
            tensors.push_back({fmt::format("blk.{}.{}.weight", layer, part), *Shape::make({256, 256}), Dtype::F32});
    const auto layout =
        gguf::layOut({gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("llama.block_count", 2u),
                      gguf::makePair("llama.embedding_length", 256u), gguf::makePair("llama.attention.head_count", 4u)},
                     tensors);
    QByteArray content = QByteArray::fromStdString(layout->header);
    content.resize(static_cast<qsizetype>(layout->fileBytes));
    std::uint32_t state = 1;
    for (qsizetype at = static_cast<qsizetype>(layout->header.size()); at + 4 <= content.size(); at += 4) {
        state = state * 1664525u + 1013904223u;
        const float value = static_cast<float>(static_cast<std::int32_t>(state)) * 1e-11f;
        std::memcpy(content.data() + at, &value, 4);
    }
    QFile file(folder + QStringLiteral("/model-f32.gguf"));
    if (file.open(QIODevice::WriteOnly)) file.write(content);
    return file.fileName();
}

} // namespace wb::test
