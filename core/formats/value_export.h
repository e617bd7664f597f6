// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/model.h"

#include <filesystem>
#include <span>

// Writing the values of tensors for other programs.
namespace wb::formats {

enum class ValueForm {
    Npy,        // one tensor in its own type; F32 if NumPy has none for it
    Csv,        // one tensor, a line for each row: the last dimension; a tensor of one dimension is one row
    Npz,        // several, each as Npy
    Safetensors // several in their own types; block types decoded to F32
};

// By the ending of the name (.npy, .csv, .npz, .safetensors, in any case); empty for others.
std::optional<ValueForm> valueFormForPath(const std::filesystem::path& target);
bool holdsSeveral(ValueForm form);

// Writes the tensors (indices into Model::tensors) in the form that the target's name says; an existing file is replaced when all
// is written, but never a file of the model itself. Progress counts bytes. Blocks the calling thread. Invalid for another ending,
// and for several tensors in a form for one tensor; Unsupported for values that cannot be read; NotWritable, NoRoom, Cancelled.
Result<void> exportTensors(const Model& model, std::span<const std::size_t> tensors, const std::filesystem::path& target,
                           const Progress& progress);

} // namespace wb::formats
