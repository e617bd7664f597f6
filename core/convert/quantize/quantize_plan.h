// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/convert/quantize/file_split.h"
#include "core/convert/quantize/key_override.h"
#include "core/formats/gguf/writer.h"
#include "core/quant/imatrix/imatrix.h"
#include "core/quant/mix/mix.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>

// Quantizing one GGUF model into another: the plan says everything that will happen before a tensor byte is read. The result equals
// the reference tool's file (ggml-org/llama.cpp v0.5.0: tools/quantize, src/llama-quant.cpp; docs/reference/gguf.md, "File types
// and the per-tensor mix" and "Whole files equal to the reference tool's output").
namespace wb::quantize {

// Why planQuantize refuses what QuantizeRequest::allowRequantize permits. Programs add what they call that option.
inline constexpr Reason quantizedAlready = "quantize.already_quantized";

struct QuantizeRequest {
    quant::MixOptions mix;
    std::shared_ptr<const quant::Imatrix> matrix; // null: none
    bool allowRequantize = false;                 // quantized sources lose twice; refused unless asked for
    bool keepSplit = false;                       // one new file for each file of the model, see targetPaths
    std::vector<KeyOverride> overrides;           // pairs of the new file
    std::set<std::uint32_t> prune;                // layers to omit
    std::map<std::string, Dtype> types;           // by tensor name: chosen one by one, before any rule of the mix
    FileSplit split;                              // of the new model, instead of `keepSplit`
    CopyMode copies = CopyMode::None;             // if set, only `split` counts, and `mix.copy` is set
};

struct PlannedTensor {
    std::size_t source = 0; // index into the model's tensors
    Dtype from = Dtype::Unknown;
    Dtype to = Dtype::Unknown;
    std::uint64_t bytes = 0;      // stored, without padding
    std::uint32_t file = 0;       // index into QuantizePlan::files
    std::uint64_t offset = 0;     // in that file
    bool kept = false;            // one of those that are never quantized
    quant::ColumnWeights weights; // of every column of every matrix, from the request's matrix, also where a copy does not need
                                  // them; empty: the plain form
    bool copied() const { return from == to; }
};

// One file that will be written.
struct PlannedFile {
    std::string header; // everything before the tensor data
    std::uint64_t bytes = 0;
};

struct QuantizePlan {
    ModelPtr model;                               // as the overrides and the pruning leave it
    ModelPtr whole;                               // as it was given
    std::shared_ptr<const quant::Imatrix> matrix; // keeps `weights` alive
    quant::FileType fileType = quant::FileType::Q4_K_M;
    bool copy = false;                                // every tensor keeps its type; `fileType` is meaningless then
    bool keepsBytes = false;                          // of CopyMode: values are copied unchecked, NaN included
    bool keepSplit = false;                           // the files are named as parts of a split, even a single one
    std::uint64_t alignment = gguf::writtenAlignment; // of the first file
    std::vector<PlannedFile> files;                   // one, or the parts of a split in order up to the last with tensors
    std::vector<PlannedTensor> tensors;               // in file order
    std::vector<Problem> problems; // fallbacks, ignored matrix entries; errors (a missing matrix) forbid execution

    std::uint64_t fileBytes() const; // of all files
    std::uint64_t parameters() const;
    double bitsPerWeight() const; // of the tensors, without the header
    bool canExecute() const;      // no problem is an error
};

// F32, F16 or BF16 where the request asks for that and nothing else: what converting a folder does by itself.
std::optional<quant::FileType> onlyFloatType(const QuantizeRequest& request);

// Where the files of a plan go: `target` itself, or where the split is kept its name without ".gguf" followed by
// "-00001-of-00003.gguf" and so on, "-00001-of-00001.gguf" for a model of one file, as in the reference.
std::vector<std::filesystem::path> targetPaths(const QuantizePlan& plan, const std::filesystem::path& target);

// Refuses a model that is not one strictly valid GGUF, quantized sources unless allowed, and rules that cannot be met. A missing
// importance matrix is a problem of the plan, so that --dry-run can still show it.
Result<QuantizePlan> planQuantize(ModelPtr model, QuantizeRequest request);

// The same without the files, which take the stored metadata: what every tensor becomes and what is to be said about it, for
// comparing mixes. Their headers are equally long, whatever the mix.
Result<QuantizePlan> planTypes(ModelPtr model, QuantizeRequest request);

} // namespace wb::quantize
