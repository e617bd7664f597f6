// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <filesystem>
#include <vector>

// A format for tests, not shipped: one model of two files with a tensor of each form of TensorSource. All but the unavailable one
// hold the same values, so that every tool must give the same result for each of them.
namespace wb::test {

inline constexpr std::uint64_t formRows = 300;    // with formColumns more elements than a slab, a recipe's call or a piece
inline constexpr std::uint64_t formColumns = 256; // one super-block
inline constexpr const char* readableForms[] = {"stored", "pieces", "strided", "recipe"};

// The values, row-major. No two rows are equal; none is subnormal or not finite.
std::vector<float> formValues();

// Writes forms-1.bin and forms-2.bin into the folder.
void writeForms(const std::filesystem::path& folder);

// The model of the files that writeForms wrote: "stored", "pieces", "strided", "recipe" (of the tensors "codes" and "scales"), and
// "unavailable".
ModelPtr openForms(const std::filesystem::path& folder);

const TensorInfo& formTensor(const Model& model, std::string_view name);

} // namespace wb::test
