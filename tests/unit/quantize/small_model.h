// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_plan.h"
#include "tests/unit/support/support.h"

namespace wb::quantize {

// A llama-shaped GGUF in `folder` with `layers` layers of 256 x 256 F32 matrices, values from a fixed sequence. `poison` is written
// into one element of the last matrix.
std::filesystem::path writeSmallModel(const test::TemporaryFolder& folder, unsigned layers, float poison = 0.01f);

// A file of these pairs and tensors, values from a fixed sequence.
std::filesystem::path writeModel(const test::TemporaryFolder& folder, const std::string& name,
                                 const std::vector<gguf::StoredPair>& pairs, const std::vector<gguf::WrittenTensor>& tensors);

// The same model in `parts` files, tensors dealt out in file order; the path of the first.
std::filesystem::path writeSplitModel(const test::TemporaryFolder& folder, unsigned layers, unsigned parts);

// An importance matrix in the file `name`, the older form, with these values by weight.
std::shared_ptr<const quant::Imatrix> makeMatrix(const test::TemporaryFolder& folder, const std::string& name,
                                                 const std::map<std::string, std::vector<float>>& entries);

ModelPtr openStrict(const std::filesystem::path& path);

// A plan for that file; a failure of the test where there is none.
QuantizePlan planFile(const std::filesystem::path& path, quant::FileType type, bool keepSplit = false);

} // namespace wb::quantize
