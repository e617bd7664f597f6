// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/huggingface.h"

#include "core/formats/huggingface/companions.h"
#include "core/formats/huggingface/diffusers.h"
#include "core/formats/huggingface/folder.h"
#include "core/formats/huggingface/weights.h"

#include <algorithm>
#include <array>

namespace wb::huggingface {
namespace {

bool isModelFolder(const Listing& listing) {
    static constexpr std::array signs = {"model_index.json", "config.json", "adapter_config.json"};
    return chooseWeights(listing).kind != Weights::Kind::None ||
           std::ranges::any_of(signs, [&](const char* name) { return listing.hasFile(name); });
}

} // namespace

Result<Model> loadFolder(const std::filesystem::path& folder, const Listing& listing, const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(Model model, loadWeights(folder, listing, options));
    const bool hasWeights = !model.files.empty();
    if (listing.hasFile("config.json") || listing.hasFile("adapter_config.json") || !hasWeights) model.format = "huggingface";
    WB_TRY(addCompanions(model, folder, listing, options));
    notePointers(model, folder, listing);
    if (!hasWeights) noteUnreadWeights(model, listing);
    noteCode(model, listing);
    if (auto architecture = architectureOf(model)) model.architecture = std::move(architecture);
    return model;
}

Result<ModelPtr> openFolder(const std::filesystem::path& path, const formats::OpenOptions& options) {
    const std::filesystem::path folder = path.has_filename() ? path : path.parent_path();
    WB_TRY_ASSIGN(const Listing listing, list(folder, options.limits.filesPerModel));
    if (!isModelFolder(listing))
        return fail(
            ErrorCode::Unknown, Reason("huggingface.no_model"), About{io::pathText(folder.filename())},
            WB_TEXT("{} holds no model that this program knows: no config.json, model_index.json, safetensors or GGUF file."),
            io::pathText(folder.filename()));
    const bool pipeline = listing.hasFile("model_index.json");
    WB_TRY_ASSIGN(Model model, pipeline ? loadPipeline(folder, listing, options) : loadFolder(folder, listing, options));
    model.path = path;
    sortProblems(model.problems);
    return std::make_shared<const Model>(std::move(model));
}

} // namespace wb::huggingface
