// SPDX-License-Identifier: MIT
#include "core/convert/restore/restore_folder.h"

#include "core/convert/restore/scaled_blocks.h"
#include "core/formats/gguf/file_type.h"

#include <algorithm>

namespace wb::convert {
namespace {

std::string_view modelArchitecture(const Model& model) {
    const Value* const name = model.metadata.find("general.architecture");
    return name && name->string() ? std::string_view(*name->string()) : std::string_view();
}

bool hasTensor(const Model& model, std::string_view name) {
    return std::ranges::find(model.tensors, name, &TensorInfo::name) != model.tensors.end();
}

// Whether the file has what only files of these classes have; true if there is not such a mark.
bool hasMark(const Model& model, const arch::Family& family, const FolderRules& rules) {
    if (!rules.markTensor.empty()) return hasTensor(model, rules.markTensor);
    return rules.markKey.empty() || model.metadata.find(fmt::format("{}.{}", family.architecture, rules.markKey));
}

// Marked classes come first, the others are for all other files of the family.
FolderFamily findFolderFamily(const Model& model) {
    const arch::Family* const family = arch::findFamily(modelArchitecture(model));
    if (!family) return {};
    FolderFamily found;
    for (const FolderRules& rules : family->folders) {
        const bool isMarked = !rules.markTensor.empty() || !rules.markKey.empty();
        if (hasMark(model, *family, rules) && (isMarked || !found)) found = {family, &rules};
    }
    return found;
}

// That of most elements of matrices where it is a float, else F32.
Dtype matrixType(const Model& model) {
    std::uint64_t f16 = 0, bf16 = 0, others = 0;
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.shape.rank() < 2) continue;
        (tensor.dtype == Dtype::F16     ? f16
         : tensor.dtype == Dtype::BF16  ? bf16
         : tensor.dtype == Dtype::MXFP4 ? bf16
                                        : others) += tensor.shape.elements();
    }
    if (bf16 > others && bf16 >= f16) return Dtype::BF16;
    return f16 > others ? Dtype::F16 : Dtype::F32;
}

std::string configText(const std::vector<ConfigMember>& members) {
    std::string text = "{";
    for (const ConfigMember& member : members)
        text += fmt::format("{}\n  \"{}\": {}", text.size() == 1 ? "" : ",", member.key, member.json);
    return text + "\n}\n";
}

void noteGuesses(RestoredFolder& folder) {
    std::string names;
    for (const ConfigMember& member : folder.config)
        if (member.isGuessed) (names += names.empty() ? "" : ", ") += member.key;
    if (names.empty()) return;
    folder.problems.push_back(makeProblem(
        Severity::Note, "convert.config_guessed", "config.json", std::nullopt,
        WB_TEXT("These fields of config.json are not in the file and were inferred from the architecture: {}."), names));
}

} // namespace

const TensorInfo* RestoreContext::tensor(std::string_view name) const {
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    return found == model.tensors.end() ? nullptr : &*found;
}

Result<RestoredFolder> restoreFolder(const ModelPtr& gguf) {
    const ModelPtr model = withScaledBlocks(gguf);
    const FolderFamily found = model->format == FormatId::Gguf ? findFolderFamily(*model) : FolderFamily();
    if (!found)
        return fail(
            ErrorCode::Unsupported, unknownArchitecture, About{std::string(modelArchitecture(*model))},
            WB_TEXT(
                "The architecture {} cannot be converted to a Hugging Face folder yet; --to safetensors keeps the tensor names."),
            modelArchitecture(*model));
    WB_TRY_ASSIGN(const arch::ModelSpec spec, arch::readSpec(*model));
    if (spec.layers.empty())
        return fail(ErrorCode::Malformed, Reason("convert.no_layers"), About{io::baseName(model->path)},
                    WB_TEXT("{} describes a model without layers."), io::baseName(model->path));
    RestoredFolder folder;
    const RestoreContext context{*model, *found.family, *found.rules, spec, matrixType(*model), folder.problems};
    WB_TRY_ASSIGN(folder.model, restoreTensors(context));
    WB_TRY_ASSIGN(folder.config, restoreConfig(context));
    WB_TRY_ASSIGN(folder.texts, restoreTokenizer(context));
    folder.texts.insert(folder.texts.begin(), {"config.json", configText(folder.config)});
    noteGuesses(folder);
    return folder;
}

} // namespace wb::convert
