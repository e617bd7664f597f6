// SPDX-License-Identifier: MIT
#include "tests/unit/cli/tiny_model.h"

#include "core/formats/gguf/writer.h"

#include <cstring>

namespace wb::test {

std::filesystem::path writeModel(const TemporaryFolder& folder) {
    const auto layout =
        gguf::layOut({gguf::makePair("general.architecture", std::string_view("llama")), gguf::makePair("answer", 42u)},
                     {{"counting.weight", *Shape::make({2, 32}), Dtype::F32}, {"ones", *Shape::make({4}), Dtype::F32}});
    std::string content = layout->header;
    content.resize(layout->fileBytes);
    for (int i = 0; i < 64; ++i) {
        const auto value = static_cast<float>(i);
        std::memcpy(&content[layout->offsets[0] + 4 * static_cast<std::size_t>(i)], &value, 4);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const float one = 1;
        std::memcpy(&content[layout->offsets[1] + 4 * i], &one, 4);
    }
    return folder.file("tiny model.gguf", content);
}

} // namespace wb::test
