// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"

#include <string>
#include <string_view>

namespace wb::test {

inline formats::OpenOptions strict() {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    return options;
}

inline formats::OpenOptions lenient() { return {}; }

// The bytes of a safetensors file with this header text and so many bytes of data.
std::string safetensorsFile(std::string_view header, std::size_t dataBytes);

// Opens such bytes from memory under the name "test.safetensors".
Result<ModelPtr> openBytes(std::string_view bytes, const formats::OpenOptions& options);

const TensorInfo* tensorNamed(const Model& model, std::string_view name);

// Whether the model has a problem with this code.
bool hasProblem(const Model& model, std::string_view code);

} // namespace wb::test
