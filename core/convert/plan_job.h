// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/jobs.h"
#include "core/convert/quantize/plan_file.h"
#include "core/convert/restore/restore_folder.h"
#include "core/convert/trust.h"
#include "core/convert/weights/weights_plan_file.h"

#include <variant>

// The only planner: the window and wb make every job here. Planning reads headers, texts and importance matrices, no tensor data.
// Adapters and models are merged, and every source is refused (untrustedSource) that must be confirmed first and is not. Errors are
// about the file that their subject names; Canceled only if `progress` stops.
namespace wb::convert {

// Which sources a request is for.
enum class Accepts : std::uint8_t {
    Gguf,   // quantizing alone
    Folder, // a Hugging Face folder, or an adapter of PEFT, which becomes a GGUF adapter
    Both,
};

// One GGUF file.
struct GgufRequest {
    std::filesystem::path source;
    Accepts accepts = Accepts::Both;
    bool isTrusted = false; // source, adapters and merged models were confirmed
    unsigned threads = 0;   // that reading may use; 0: all

    // Of a folder.
    quantize::FolderChoices folder;
    std::vector<std::pair<std::string, std::string>> metadata; // more pairs of texts; a plan file cannot express them
    bool onlyVocabulary = false;                               // nor this
    bool keepsBlocks = true;               // MXFP4 and NVFP4 of a folder that is converted and not quantized stay as they are
    std::optional<gguf::FileType> outType; // that the converter writes by its own rules; empty: automatic
    bool onlyConverts = false;             // of a folder: `quantize` is ignored but for its `split`

    // The type that the file, or the one made from the folder, is quantized to. A folder for which this asks for F32, F16 or BF16
    // alone is converted to that type and not quantized.
    quantize::QuantizeRequest quantize; // without the matrix
    quantize::MatrixFile matrixFile;
    bool takesUsualType = false;                 // of a folder: its automatic type instead of that of `quantize`
    std::optional<quantize::PlanFile> savedPlan; // that `quantize` comes from; refused if it is for another model

    // The result of an earlier planning of the same source, folder choices and matrix returned, so that it need not be read again.
    ModelPtr model;
    std::shared_ptr<const ConvertPlan> conversion;
    bool isAdapter = false;
    std::shared_ptr<const quant::Imatrix> matrix;
};

// The inputs and decisions; without a job, as far as planning came.
struct GgufPlanned {
    JobPtr job;                   // null: see `failure`
    std::optional<Error> failure; // why there is no job
    ModelPtr model;               // that is quantized: the source, or the file that converting it would make; null: not read
    std::shared_ptr<const quant::Imatrix> matrix;
    std::shared_ptr<const ConvertPlan> conversion;           // that makes `model` of a folder, which is one if this is set
    std::shared_ptr<const ConvertPlan> plain;                // if converting alone is enough: the plan of that
    std::shared_ptr<const quantize::QuantizePlan> quantized; // else: the plan of quantizing `model`
    quantize::QuantizeRequest request;                       // as it was planned, with matrix and type
    std::optional<gguf::FileType> usualType;                 // that was used because of `takesUsualType`
    bool isAdapter = false;                                  // the source is one; set even if no base is named
    bool isForOtherModel = false;                            // the saved plan is
    std::map<std::string, Dtype> ownTypes;                   // of the request: those that its type alone would not give
    Result<std::string> planText;                            // Job::planText, or why none exists
};

GgufPlanned planGguf(const GgufRequest& request, const Progress& progress);

// safetensors: one file, shards, or a Hugging Face folder.
struct SafetensorsRequest {
    std::filesystem::path source;
    std::filesystem::path target; // which gives the names of the files
    bool isTrusted = false;
    unsigned threads = 0;
    std::vector<AdapterFile> adapters; // merged into the source, in this order
    MergeChoices merge;                // other models that are merged with it
    WeightsRequest weights;
};

struct SafetensorsPlanned {
    JobPtr job;
    std::shared_ptr<const WeightsPlan> plan;
    std::vector<ConfigMember> config; // of a folder that a GGUF file is restored to
};

Result<SafetensorsPlanned> planSafetensors(const SafetensorsRequest& request, const Progress& progress);

// An ONNX graph that gets the weights of any model.
struct GraphRequest {
    std::filesystem::path source; // of the weights
    std::filesystem::path graph;
    bool isTrusted = false;
    unsigned threads = 0;
};

struct GraphPlanned {
    JobPtr job;
    std::shared_ptr<const GraphPlan> plan;
};

Result<GraphPlanned> planGraph(const GraphRequest& request, const Progress& progress);

// A plan file of either kind, and its text as it is stored.
using SavedPlan = std::variant<quantize::PlanFile, WeightsPlanFile>;

// Reads the text of a plan file that may come from anybody; `name` is the file's in sentences.
Result<SavedPlan> parseSavedPlan(std::string_view text, const std::string& name);

// The requests that saved plans stand for.
GgufRequest requestFromPlan(const quantize::PlanFile& plan, const std::filesystem::path& source);
SafetensorsRequest requestFromPlan(const WeightsPlanFile& plan, const std::filesystem::path& source,
                                   const std::filesystem::path& target);

using Request = std::variant<GgufRequest, SafetensorsRequest>;

// The job alone.
Result<JobPtr> planJob(const Request& request, const Progress& progress);

} // namespace wb::convert
