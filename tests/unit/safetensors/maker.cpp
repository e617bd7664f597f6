// SPDX-License-Identifier: MIT
#include "tests/unit/safetensors/maker.h"

#include "core/formats/safetensors/safetensors.h"
#include "tests/unit/support/support.h"

#include <algorithm>

namespace wb::test {

std::string safetensorsFile(std::string_view header, std::size_t dataBytes) {
    std::string bytes;
    for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> 8 * i & 0xFF);
    bytes += header;
    bytes.append(dataBytes, '\x01');
    return bytes;
}

Result<ModelPtr> openBytes(std::string_view bytes, const formats::OpenOptions& options) {
    return safetensors::open(std::make_shared<io::MemorySource>("test.safetensors", toBytes(bytes)), options);
}

const TensorInfo* tensorNamed(const Model& model, std::string_view name) {
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    return found == model.tensors.end() ? nullptr : &*found;
}

bool hasProblem(const Model& model, std::string_view code) {
    return std::ranges::any_of(model.problems, [&](const Problem& problem) { return code == problem.code.id(); });
}

} // namespace wb::test
