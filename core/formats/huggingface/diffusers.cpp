// SPDX-License-Identifier: MIT
#include "core/formats/huggingface/diffusers.h"

#include "core/formats/huggingface/companions.h"
#include "core/formats/huggingface/folder.h"

#include <algorithm>

namespace wb::huggingface {
namespace {

// A component is named by its key and stored as [library, class]; [null, null] is one that was omitted.
bool isComponent(const Member& member) {
    const ValueArray* pair = member.value.array();
    return pair && pair->count == 2 && pair->complete() && pair->first[1].string() && io::isPlainRelativeName(member.key) &&
           member.key.find('/') == std::string::npos;
}

void addComponent(Model& model, Model part, const std::string& name) {
    const auto firstFile = static_cast<std::uint32_t>(model.files.size());
    for (ModelFile& file : part.files) {
        file.name = name + "/" + file.name;
        model.files.push_back(std::move(file));
    }
    for (TensorInfo& tensor : part.tensors) {
        tensor.name = name + "." + tensor.name;
        tensor.source.shiftFiles(firstFile);
        model.tensors.push_back(std::move(tensor));
    }
    for (Member& member : part.metadata.members)
        model.metadata.members.push_back({name + "/" + member.key, std::move(member.value)});
    model.metadata.count = model.metadata.members.size();
    for (Problem& problem : part.problems) {
        problem.file = problem.file.empty() ? name : name + "/" + problem.file;
        model.problems.push_back(std::move(problem));
    }
}

Result<void> loadComponent(Model& model, const std::filesystem::path& folder, const std::string& name,
                           const formats::OpenOptions& options) {
    WB_TRY_ASSIGN(const Listing listing, list(folder / name, options.limits.filesPerModel));
    WB_TRY_ASSIGN(Model part, loadFolder(folder / name, listing, options));
    addComponent(model, std::move(part), name);
    return {};
}

Result<void> componentProblem(Model& model, const std::string& name, const formats::OpenOptions& options) {
    if (options.strictness == formats::Strictness::Strict)
        return fail(ErrorCode::Malformed, Reason("diffusers.component_missing"), About{name},
                    WB_TEXT("The component {} listed in model_index.json is missing."), name);
    model.problems.push_back(makeProblem(Severity::Error, "diffusers.component_missing", name, std::nullopt,
                                         WB_TEXT("The component {} listed in model_index.json is missing."), name));
    return {};
}

std::vector<std::string> componentNames(const Model& model) {
    std::vector<std::string> names;
    const Value* index = model.metadata.find("model_index.json");
    if (!index || !index->object()) return names;
    for (const Member& member : index->object()->members)
        if (isComponent(member)) names.push_back(member.key);
    return names;
}

} // namespace

Result<Model> loadPipeline(const std::filesystem::path& folder, const Listing& listing, const formats::OpenOptions& options) {
    Model model;
    model.format = FormatId::Diffusers;
    model.folder = folder;
    WB_TRY(addCompanions(model, folder, listing, options));
    for (const std::string& name : componentNames(model)) {
        if (std::ranges::binary_search(listing.folders, name)) WB_TRY(loadComponent(model, folder, name, options));
        else WB_TRY(componentProblem(model, name, options));
    }
    noteCode(model, listing);
    model.architecture = modelArchitecture(model);
    return model;
}

} // namespace wb::huggingface
