// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Arrays in chunks and the checkpoints of JAX that are made of them: zarr 2 and 3 (zarr-developers/zarr-specs), OCDBT stores
// (google/tensorstore: tensorstore/kvstore/ocdbt/index.rst), orbax (google/orbax: checkpoint/orbax/checkpoint);
// docs/reference/formats.md, "JAX: Flax, orbax, OCDBT, zarr".
namespace wb::zarr {

// Whether the folder is an array or a group of arrays; a store of tensorstore; a checkpoint of orbax, or the steps of a training
// run, each a checkpoint.
bool isZarr(const std::filesystem::path& folder);
bool isOcdbt(const std::filesystem::path& folder);
bool isOrbax(const std::filesystem::path& folder);

// Every array below the folder, named by its path in it; in a checkpoint by its path in the item. TensorDetails::group is the step
// and item where there are several. Keys of a store that belong to no array are lists of bytes. Arrays whose bytes are in one run
// are read in place, others are joined from their chunks by a worker when they are read; chunks that are missing hold the fill
// value. An array with an unsupported codec is listed without values. Malformed, TooLarge, Canceled, and what the worker fails
// with.
Result<ModelPtr> openZarr(const std::filesystem::path& folder, const formats::OpenOptions& options);
Result<ModelPtr> openOcdbt(const std::filesystem::path& folder, const formats::OpenOptions& options);
Result<ModelPtr> openOrbax(const std::filesystem::path& folder, const formats::OpenOptions& options);

// The task in the worker: all files below the folder. `wish` has the name of the folder, then theirs, one a line.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);
Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::zarr
