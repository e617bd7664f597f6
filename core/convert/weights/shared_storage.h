// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <unordered_map>

namespace wb::convert {

// Tensors that are the very bytes of another one, in the same order: the index of each that need not be written, with that of the
// one that is. Of such tensors the one stays whose name transformers keeps: not that of a head or embedding that is tied to
// another, and of the rest the first by name (huggingface/safetensors: bindings/python/convert.py). A view of a part of another
// tensor does not qualify: it is written by itself.
std::unordered_map<std::size_t, std::size_t> sharedTensors(const Model& model);

} // namespace wb::convert
