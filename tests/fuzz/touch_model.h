// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

#include <algorithm>

namespace wb::fuzz {

// Uses everything a reader said about a model, so that a sanitizer sees what is wrong with it.
inline void touchModel(const Model& model) {
    std::size_t sink = model.parameters() + model.tensorBytes();
    for (const Problem& problem : model.problems) sink += problem.message().size();
    for (const Member& member : model.metadata.members) sink += summary(member.value).size();
    std::vector<std::byte> scratch;
    for (const TensorInfo& tensor : model.tensors) {
        sink += tensor.shape.toString().size() + tensor.dtypeName().size();
        auto reader = TensorReader::open(model, tensor);
        if (!reader) continue;
        const std::uint64_t block = info(tensor.dtype).blockElements;
        std::vector<float> values(std::min<std::uint64_t>(tensor.shape.elements(), 1024) / block * block);
        if (reader->readF32(0, values, scratch) && !values.empty()) sink += values.back() > 0 ? 1 : 0;
    }
    // The compiler must not find out that nobody wants the sum.
    static volatile std::size_t result;
    result = sink;
}

} // namespace wb::fuzz
