// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"
#include "core/worker/worker.h"

#include <span>
#include <string>

// NumPy arrays: one in a .npy file, several in a zip archive of them, .npz (numpy/numpy: numpy/lib/_format_impl.py).
namespace wb::npy {

bool sniff(std::span<const std::byte> head);

// Whether an archive of members with these names is a .npz: every file of it is a .npy, and there is one.
bool isArchive(std::span<const std::string> memberNames);

// A .npy file as a model of one tensor, named like the file without its ending; Model::version is that of the format ("1.0").
// Arrays of Python objects, strings, dates or records have no tensor, but a note, and their description in the metadata. Malformed,
// TooLarge.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options);

// A .npz archive: a tensor for each member, named like it without its ending. Stored members are read in place; deflated ones are
// unpacked by a worker, the beginning when the archive is opened, the whole when the elements are read. Of these the last one read
// stays in memory.
Result<ModelPtr> openArchive(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> openArchive(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options);

// The task in the worker.
std::span<const worker::WorkerTask> tasks();

} // namespace wb::npy
