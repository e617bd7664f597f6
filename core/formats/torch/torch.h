// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/formats/pickle/graph.h"
#include "core/model/model.h"
#include "core/worker/worker.h"

#include <functional>
#include <optional>
#include <span>

// Files of torch.save and TorchScript (docs/reference/formats.md, "PyTorch zip" to "torch.export `.pt2`";
// pytorch/pytorch: torch/serialization.py, torch/_utils.py, caffe2/serialize/inline_container.cc). README.md next to this header
// describes the supported contents and the problems.
//
// Their lists of tensors are pickles, which are followed symbolically in a worker process and never executed; the values are read
// from the file like those of any format. Model::danger lists the code that torch.load would run.
namespace wb::torch {

// Whether a file that starts and ends like this is one: the forms without their own container are identified by their first bytes;
// a zip archive is asked by isArchive.
bool sniffLegacy(std::span<const std::byte> head);

// Whether these are the names of members of a torch archive.
bool isArchive(const std::vector<std::string>& memberNames);

// Opens a file, or its content from elsewhere, through the worker.
Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options);
Result<ModelPtr> open(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options);

// Called with the object of a file after its tensors were listed, while the graph is alive: for readers of checkpoints, which need
// long dictionaries in full (Model::metadata keeps the beginning of such). `plain` is what the object holds besides tensors, which
// is Model::metadata where it is a dictionary; empty: nothing. Not called for a broken pickle without a root.
using VisitObject = std::function<void(const pickle::Graph& graph, pickle::NodeId root, const std::optional<Value>& plain)>;

// The work of the worker itself, in this process: for the worker, tests and fuzzing. The model has no files.
Result<Model> load(std::shared_ptr<io::ByteSource> source, const formats::OpenOptions& options, const VisitObject& visit = {});

// What open() lets a worker do.
worker::WorkerTask openTask();

} // namespace wb::torch
