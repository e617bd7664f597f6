// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/huggingface.h"

#include "core/formats/huggingface/companions.h"
#include "core/formats/huggingface/diffusers.h"
#include "core/formats/huggingface/folder.h"
#include "core/formats/huggingface/training_state.h"
#include "core/formats/huggingface/weights.h"
#include "core/formats/peft/peft.h"
#include "core/formats/quantized/quantized.h"

#include <algorithm>
#include <array>

namespace wb::huggingface {
namespace {

bool isModelFolder(const Listing& listing) {
    static constexpr std::array signs = {"model_index.json", "config.json", "adapter_config.json"};
    return chooseWeights(listing).kind != Weights::Kind::None ||
           std::ranges::any_of(signs, [&](const char* name) { return listing.hasFile(name); });
}

// The weight change of an adapter, and the weights that the folder, or each component of a pipeline, stores in parts. Recipes name
// their parts as the whole model does.
Result<void> addLogicalTensors(Model& model, const Listing& listing, const formats::OpenOptions& options) {
    if (isAdapter(listing)) peft::addDeltas(model, model.metadata.find("adapter_config.json"));
    if (!listing.hasFile("model_index.json"))
        return quantized::addLogicalTensors(model, "", model.metadata.find("config.json"), options);
    for (const std::string& name : listing.folders)
        WB_TRY(quantized::addLogicalTensors(model, name + ".", model.metadata.find(name + "/config.json"), options));
    return {};
}

} // namespace

Result<Model> loadFolder(const std::filesystem::path& folder, const Listing& listing, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Model model, loadWeights(folder, listing, options));
    const bool hasWeights = !model.files.empty();
    if (listing.hasFile("config.json") || listing.hasFile("adapter_config.json") || !hasWeights)
        model.format = FormatId::HuggingFace;
    if (isAdapter(listing)) model.format = FormatId::Peft;
    WB_TRY(addCompanions(model, folder, listing, options));
    notePointers(model, folder, listing);
    if (!hasWeights) noteUnreadWeights(model, listing);
    noteCode(model, listing);
    if (auto architecture = modelArchitecture(model)) model.architecture = std::move(architecture);
    return model;
}

Result<ModelPtr> openFolder(const std::filesystem::path& path, const formats::OpenOptions& options) {
    const std::filesystem::path folder = path.has_filename() ? path : path.parent_path();
    WB_TRY_ASSIGN(const Listing listing, list(folder, options.limits.filesPerModel));
    if (!isModelFolder(listing))
        return fail(ErrorCode::Unknown, Reason("huggingface.no_model"), About{io::pathText(folder.filename())},
                    WB_TEXT("{} contains no supported model folder layout; open one of its files."),
                    io::pathText(folder.filename()));
    const bool pipeline = listing.hasFile("model_index.json");
    WB_TRY_ASSIGN(Model model, pipeline ? loadPipeline(folder, listing, options) : loadFolder(folder, listing, options));
    model.path = path;
    if (!pipeline && options.strictness == formats::Strictness::Lenient) WB_TRY(addTrainingState(model, folder, listing, options));
    WB_TRY(addLogicalTensors(model, listing, options));
    sortProblems(model.problems);
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::huggingface
