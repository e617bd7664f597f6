// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/convert/gguf/convert_plan.h"
#include "core/convert/quantize/plan_file.h"

namespace wb::ui::convert {

// What a plan is made of. What was read before may be given again: a null model and a null matrix are read here.
struct PlanInput {
    std::filesystem::path path; // of the model
    ModelPtr model;
    std::shared_ptr<const quant::Imatrix> matrix;
    // Of a Hugging Face folder: the plan that makes `model` of it, and whether its own type is to be planned where nothing was
    // chosen.
    std::shared_ptr<const wb::convert::ConvertPlan> conversion;
    bool takesUsualType = false;
    bool isAdapter = false; // with `model`
    quantize::FolderChoices folder;
    quantize::QuantizeRequest request; // without the matrix
    quantize::MatrixFile matrixFile;
    std::optional<quantize::PlanFile> savedPlan; // where the request is that of a saved plan which is not checked yet
    unsigned threads = 0;
};

struct PlanOutput {
    ModelPtr model; // these two are set as soon as they are read, also where planning failed then
    std::shared_ptr<const quant::Imatrix> matrix;
    std::shared_ptr<const wb::convert::ConvertPlan> conversion; // of a folder, with the types it has by itself; set with `model`
    std::shared_ptr<const wb::convert::ConvertPlan> plain;      // where converting alone does what was chosen: the plan of that
    std::optional<quant::FileType> usualType;                   // that was taken, as nothing was chosen
    bool isAdapter = false;                                     // the folder is one; set with `model`, also where no base is named
    bool isForOtherModel = false;                               // the saved plan is
    std::map<std::string, Dtype> ownTypes;                      // those of the request that its mix would not give
    std::shared_ptr<const quantize::QuantizePlan> plan;
    Result<std::string> text;     // of a file of the plan; an error where it cannot be saved
    std::optional<Error> failure; // why there is no plan
};

// Reads what is not read yet and plans. Fails only with Cancelled; every other error is in the output. For worker threads.
Result<PlanOutput> makePlan(const PlanInput& input, const Progress& progress);

// Whether the files of the model are still those that were opened. Opens them.
bool isUnchanged(const Model& model);

} // namespace wb::ui::convert
