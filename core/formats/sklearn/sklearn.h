// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Pickles of NumPy arrays and of objects that contain some: pickle.dump, joblib.dump, models of scikit-learn
// (docs/reference/formats.md, "Generic pickle, joblib, scikit-learn"; numpy/numpy:
// numpy/_core/src/multiarray/methods.c, joblib/joblib: joblib/numpy_pickle.py). They are followed symbolically and never loaded.
namespace wb::sklearn {

// Whether a file that starts like this may be a pickle of protocol 2 or later, or a compressed one.
bool sniff(std::span<const std::byte> head);

// Whether a file that starts and ends like this may be a pickle of protocol 0 or 1, which has no mark: following it tells.
bool sniffUnmarked(std::span<const std::byte> head, std::span<const std::byte> tail);

// Every array that containers and attributes lead to, under the names on the way joined with dots; the step of a pipeline under its
// own name. Model::danger lists the code that loading would run. Compressed files are unpacked by the worker, also when values are
// read; at most 1 GiB.
//
// Unknown where the bytes are neither a pickle nor unpack to one; Malformed, TooLarge, Canceled, and what the worker fails with.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);

// The pickle from byte `start` on of a file that has something else before it: an array of Python objects in a .npy file.
Result<ModelPtr> openAt(const std::filesystem::path& path, std::uint64_t begin, const formats::OpenOptions& options);

// The task in the worker. `wish`: where the pickle starts, as a decimal number; empty: at the first byte, perhaps compressed.
Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view wish, const formats::OpenOptions& options);
Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out);

std::span<const worker::WorkerTask> tasks();

} // namespace wb::sklearn
