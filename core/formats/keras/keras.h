// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

#include <filesystem>

// Keras models and other HDF5 files (keras-team/keras: keras/src/saving/saving_lib.py, legacy/hdf5_format.py;
// docs/reference/formats.md, "Keras"). Tensors are named by their paths in the HDF5 file:
// "model_weights/conv/conv/kernel", "layers/dense/vars/0".
namespace wb::keras {

// Whether these are the members of a .keras archive.
bool isArchive(const std::vector<std::string>& memberNames);

// Whether the text of a JSON file is the index of sharded Keras weights.
bool isShardIndex(std::string_view name, std::string_view json);

// An HDF5 file: .h5, .hdf5, .weights.h5. Every dataset is a tensor, attributes are metadata; a model's configuration, which Keras
// keeps as JSON text in an attribute, is read too. Model::danger says whether a layer of it is code.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// A .keras archive: config.json, metadata.json and the member model.weights.h5, which is read where it is unless it is
// compressed.
Result<ModelPtr> openArchive(const std::filesystem::path& path, const formats::OpenOptions& options);

// The index of weights that several .weights.h5 files next to it share. Missing files are problems.
Result<ModelPtr> openShards(const std::filesystem::path& path, const formats::OpenOptions& options);

// The task in the worker: HDF5 files, and JSON texts that become metadata under the name of their source.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);
Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::keras
