// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/convert/run/output_plan.h"
#include "core/formats/safetensors/writer.h"
#include "core/model/model.h"

#include <functional>
#include <map>

// Any tensors that open, as safetensors: one file, shards with an index, or a Hugging Face folder (docs/reference/conversion.md,
// "safetensors, PyTorch, shards, casts"). The plan says every tensor and every byte before one is read. The model defines the
// source of a tensor's values: a folder's stored tensors, those of a GGUF file transformed back, or weights with adapters merged
// into them are planned alike.
namespace wb::convert {

// A small file that is written next to the weights as it is.
struct TextFile {
    std::string name;
    std::string text;
};

struct WeightsRequest {
    std::optional<Dtype> type = {};          // of weightTypes(), for tensors of floats; empty: as they are, block types F32
    std::map<std::string, Dtype> types = {}; // of single tensors of floats, by the name in the model, instead of `type`
    bool isFolder = false;                   // the target is a folder with the files of a Hugging Face folder, else one file's name
    std::uint64_t shardBytes = 5'000'000'000;                // as huggingface_hub divides; 0: no limit
    std::uint64_t shardTensors = 0;                          // 0: no limit
    std::function<bool(const std::string& name)> wants = {}; // which tensors; empty: all
    bool withTrainingState = false; // of a checkpoint of training also what the optimizer keeps; see isTrainingState
    std::function<std::string(const std::string& name)> renamed = {}; // what they are called; empty: as they are
    std::optional<std::vector<TextFile>> texts = {};                  // of the folder; empty: those of the model's folder
    std::vector<std::pair<std::string, std::string>> metadata = {};   // more entries of __metadata__
};

// The types that tensors of floats can be cast to.
std::span<const Dtype> weightTypes();

// Whether a tensor of that type is one of floats, so that it can be cast to those.
bool canCast(Dtype from);

struct PlannedWeight {
    std::string name;
    std::size_t source = 0;              // index into Model::tensors
    std::vector<std::string> sources;    // names of the stored tensors that it is made of
    std::vector<std::string> transforms; // what happens on the way: "permute", "cast" …
    std::vector<std::string> dropped;    // names of tensors that are the same bytes and are not written again
    Dtype from = Dtype::Unknown;
    Dtype to = Dtype::Unknown;
    Shape shape;
    std::uint64_t bytes = 0;
    std::size_t file = 0;     // index into WeightsPlan::weights
    std::uint64_t offset = 0; // in that file
};

struct WeightsFile {
    std::string name; // of a folder: in it; else the name of the file next to the target
    std::string header;
    std::uint64_t bytes = 0;
};

struct WeightsPlan {
    ModelPtr model;
    bool isFolder = false;
    std::vector<PlannedWeight> tensors; // in the model's order
    std::vector<WeightsFile> weights;
    std::vector<TextFile>
        texts; // config.json first, then the index, where there are such: they are renamed to their final names last, in this order
    std::vector<Problem> problems;
    std::vector<run::SourceFile> sources; // all files that were or will be read

    std::uint64_t fileBytes() const;   // of all files
    std::uint64_t sourceBytes() const; // of the stored tensors that are read
    // Where the files are written, in the order of `texts` and `weights`.
    std::vector<std::filesystem::path> paths(const std::filesystem::path& target) const;
};

// Whether the tensor is one of those that are written: the stored ones, or of a checkpoint whose ranks are joined the joined ones,
// as far as the request wants them.
bool isWritten(const Model& model, const TensorInfo& tensor, const WeightsRequest& request);

// `target` gives the names of the files. A checkpoint with missing ranks is refused unless `wants` selects complete tensors only.
// Refuses a model without tensors that can be read, names that meet, and a cast of weights
// that are quantized in a folder's own way, each in one sentence.
Result<WeightsPlan> planWeights(ModelPtr model, const WeightsRequest& request, const std::filesystem::path& target);

} // namespace wb::convert
