// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/convert/gguf/folder_rules.h"
#include "core/convert/source/source_folder.h"
#include "core/formats/gguf/file_type.h"

namespace wb::convert {

struct PlannedTensor {
    std::string name;
    // Indices into the model's tensors: one, or those that are stacked, all of one shape, or the blocks and scales that are
    // repacked. Empty where the values are generated.
    std::vector<std::size_t> sources;
    std::vector<TensorInfo> views; // each source as it is read (transformedView), or all as one; empty: as they are stored
    Transform transform = Transform::Copy;
    RowOrder order = RowOrder::Stored; // in which a view takes the rows of the source
    std::uint64_t heads = 0;           // whose rows are permuted; 0: none
    std::vector<float> generated;      // the elements where there is no source
    Dtype from = Dtype::F32;
    Dtype to = Dtype::F32;
    Shape shape;
    std::uint64_t bytes = 0;  // stored, without padding
    std::uint64_t offset = 0; // in the new file
};

struct TensorPlan {
    std::vector<PlannedTensor> tensors;
    std::size_t leftOut = 0;         // tensors of the parts for images and sound
    std::string firstLeftOut;        // by name
    bool keepsQuantized = false;     // some stay MXFP4, whatever type was asked for
    std::size_t kept = 0;            // weights of a quantized folder that stay as they are …
    Dtype keptType = Dtype::Unknown; // … and the type of these
};

// The new tensors in the reference's order: generated ones, then repacked ones, then in the order of the sources, a stack where its
// last expert stands. Refuses tensors that the family does not have, that are missing or of another shape, each by its name; with
// `omitsUnfit` such tensors are omitted instead. `type` is what matrices get; with `keepsBlocks` those that keptBlocks() yields
// stay blocks, whatever it is.
Result<TensorPlan> planTensors(const SourceFolder& folder, FolderFamily family, const arch::ModelSpec& spec, gguf::FileType type,
                               bool omitsUnfit = false, bool keepsBlocks = false);

// The meaning of the reference's --outtype auto: F16 where the first matrix is F16, else BF16.
gguf::FileType automaticType(const SourceFolder& folder);

} // namespace wb::convert
