// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/convert/run/output_plan.h"
#include "core/model/model.h"

#include <filesystem>
#include <optional>

// The weights of any model written into an ONNX graph (docs/reference/conversion.md, "ONNX and vendor tools"). A copy of the graph
// and of its files of external data is made, in which only the values of tensors change: their types, shapes and places stay, so
// that every other byte keeps its place, too.
namespace wb::convert {

// Consecutive bytes of one file: a tensor that gets new values, or the bytes between those.
struct GraphSegment {
    std::string name;                  // of the tensor, else of the file
    std::optional<std::size_t> source; // index into the weights' tensors; empty: the bytes of the graph's file
    Dtype to = Dtype::U8;
    std::uint64_t elements = 0;
    std::uint32_t file = 0; // index into GraphPlan::files
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

struct GraphFile {
    std::string name;     // as the graph refers to it; of the graph itself its own
    std::size_t file = 0; // index into the files of the graph's model
    std::uint64_t bytes = 0;
};

// Tensors that the graph stores as lists of numbers, whose length depends on the values, or in less than a byte: the new values
// have to be equal.
struct ListedTensor {
    std::size_t graph = 0;   // index into the graph's tensors
    std::size_t weights = 0; // index into the weights' tensors
};

struct GraphPlan {
    ModelPtr graph;
    ModelPtr weights;
    std::vector<GraphFile> files;       // the graph first
    std::vector<GraphSegment> segments; // by file and offset; they cover every byte
    std::vector<ListedTensor> listed;
    std::vector<Problem> problems; // tensors that the graph does not contain
    std::size_t kept = 0;          // tensors of the graph that keep their values

    std::uint64_t fileBytes() const;
    std::vector<run::SourceFile> sources() const;                                        // all files that are read
    std::vector<std::filesystem::path> paths(const std::filesystem::path& target) const; // in the order of `files`
};

// Floats are cast to the graph's type, integers are never cast. Refuses another shape, a type that cannot be cast, and a graph that
// is damaged or lacks external data, each by name. Reads no tensor data.
Result<GraphPlan> planGraph(ModelPtr graph, ModelPtr weights);

} // namespace wb::convert
