// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/verify/verify.h"

#include <cstddef>
#include <span>

namespace wb::verify {

// Elements that are NaN and that are infinite.
struct NotFinite {
    std::uint64_t nan = 0;
    std::uint64_t infinite = 0;
};

// In whole raw blocks of a type of floats; `scratch` is reused. Types of integers have none.
NotFinite countNotFinite(Dtype dtype, std::span<const std::byte> blocks, std::uint64_t elements, std::vector<float>& scratch);

// Reads every stored weight after decoding; training state, texts and tensors that share an earlier one's bytes are omitted. Each
// tensor with a NaN or an infinite value, and each whose values are damaged, becomes a failed check. Progress counts bytes.
Result<ValueCounts> checkValues(const Model& model, const Options& options, std::vector<Check>& checks);

} // namespace wb::verify
