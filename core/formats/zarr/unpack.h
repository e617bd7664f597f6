// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/zarr/chunk.h"
#include "core/formats/zarr/ocdbt.h"

// Inside the room: the elements of an array out of its chunks.
namespace wb::zarr {

// Where the elements are: the chunks in the order of the grid, null for missing ones. Where they are contiguous in a file, or in
// runs one after another, they are read there; else they are a derived file of the index.
TensorSource chunkSource(formats::Index& index, const formats::Sources& sources, const ArrayMeta& meta,
                         const std::vector<const StoredValue*>& chunks);

} // namespace wb::zarr
