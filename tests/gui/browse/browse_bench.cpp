// SPDX-License-Identifier: MIT
#include "tests/gui/browse/browse_bench.h"

#include "core/formats/gguf/writer.h"

namespace wb::test {

std::string smallGguf() {
    const std::vector<gguf::StoredPair> pairs = {gguf::makePair("general.architecture", std::string_view("llama")),
                                                 gguf::makePair("general.file_type", std::uint32_t{7})};
    const auto layout = gguf::layOut(pairs, {{"token_embd.weight", *Shape::make({64, 64}), Dtype::Q8_0}});
    std::string file = layout->header;
    file.resize(static_cast<std::size_t>(layout->fileBytes), 'x');
    return file;
}

} // namespace wb::test
