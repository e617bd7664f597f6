// SPDX-License-Identifier: MIT
#include "core/convert/source/decoded_model.h"

#include "core/convert/source/folder_text.h"
#include "core/formats/json/edit.h"
#include "core/formats/options.h"
#include "core/model/prefixed_recipe.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace wb::convert {
namespace {

bool isDecoded(const TensorInfo& tensor) {
    return tensor.logical && tensor.details && !tensor.details->scheme.empty() && !tensor.details->parts.empty();
}

// Of activations and of the KV cache: weights are computed without them.
bool isInferenceScale(std::string_view name) {
    constexpr std::array<std::string_view, 8> endings = {
        ".k_scale",         ".v_scale", ".q_scale", ".prob_scale", ".input_scale", ".output_scale", ".input_global_scale",
        ".input_zero_point"};
    return std::ranges::any_of(endings, [name](std::string_view ending) { return name.ends_with(ending); });
}

// The parts of a weight that its scheme does not explain would be lost, or mistaken for weights.
Result<void> refuseUnfit(const Model& model) {
    const auto unfit =
        std::ranges::find_if(model.problems, [](const Problem& problem) { return problem.code == Reason("quantized.parts"); });
    if (unfit == model.problems.end()) return {};
    return std::unexpected(asError(ErrorCode::Unsupported, *unfit));
}

class Decoder {
public:
    explicit Decoder(const ModelPtr& model) : m_model(*model), m_decoded(std::make_shared<Model>(*model)) {
        for (const TensorInfo& tensor : m_model.tensors) {
            if (!isDecoded(tensor)) continue;
            m_parts.insert(tensor.details->parts.begin(), tensor.details->parts.end());
        }
    }

    Result<ModelPtr> run() {
        WB_TRY(refuseUnfit(m_model));
        m_decoded->tensors.clear();
        for (const TensorInfo& tensor : m_model.tensors) add(tensor);
        std::ranges::stable_sort(m_decoded->tensors, {}, [this](const TensorInfo& tensor) {
            return std::pair(fileName(tensor), std::string_view(tensor.name));
        });
        std::ranges::move(m_logical, std::back_inserter(m_decoded->tensors));
        noteDecoded();
        WB_TRY(changeConfig());
        return ModelPtr(m_decoded);
    }

private:
    void add(const TensorInfo& tensor) {
        if (isDecoded(tensor)) {
            TensorInfo weight = withPrefix(tensor, std::string(partPrefix));
            weight.name = tensor.name;
            weight.logical = false;
            m_decoded->tensors.push_back(std::move(weight));
            ++m_count;
        } else if (!tensor.logical && m_parts.contains(tensor.name)) {
            m_fileOf.emplace(tensor.name, tensor.file());
            TensorInfo part = withPrefix(tensor, std::string(partPrefix));
            part.logical = true;
            m_logical.push_back(std::move(part));
        } else if (tensor.logical) {
            m_logical.push_back(tensor);
        } else if (!isInferenceScale(tensor.name)) {
            m_decoded->tensors.push_back(tensor);
        }
    }

    // A weight is where its first part is.
    std::string_view fileName(const TensorInfo& tensor) const {
        std::uint32_t file = tensor.file();
        if (tensor.details && !tensor.details->parts.empty())
            if (const auto part = m_fileOf.find(tensor.details->parts.front()); part != m_fileOf.end()) file = part->second;
        return file < m_model.files.size() ? std::string_view(m_model.files[file].name) : std::string_view();
    }

    void noteDecoded() {
        m_decoded->problems.push_back(makeProblem(
            Severity::Note, decodedValues, "", std::nullopt,
            WB_TEXT("{} tensors are dequantized: their values are those of the quantized file, not of the original model."),
            m_count));
    }

    // Descriptions of the quantization would mislead loaders of the output.
    Result<void> changeConfig() {
        for (const char* const name : {"quantize_config.json", "quant_config.json", "hf_quant_config.json"})
            if (std::ranges::find(m_model.files, name, &ModelFile::name) != m_model.files.end()) setText(*m_decoded, name, {});
        WB_TRY_ASSIGN(const auto text, readText(m_model, "config.json", formats::Limits().jsonText));
        if (!text) return {};
        std::string changed = *text;
        for (const char* const key : {"quantization_config", "compression_config"}) changed = json::withoutMember(changed, key);
        setText(*m_decoded, "config.json", std::move(changed));
        for (Member& file : m_decoded->metadata.members)
            if (auto* const config = std::get_if<ValueObject>(&file.value.data); config && file.key == "config.json")
                config->count -= std::erase_if(config->members, [](const Member& member) {
                    return member.key == "quantization_config" || member.key == "compression_config";
                });
        return {};
    }

    const Model& m_model;
    std::shared_ptr<Model> m_decoded;
    std::set<std::string> m_parts;                 // of all weights
    std::map<std::string, std::uint32_t> m_fileOf; // of these
    std::vector<TensorInfo> m_logical;
    std::size_t m_count = 0;
};

} // namespace

Result<ModelPtr> decodedModel(ModelPtr model) {
    if (model->format != FormatId::HuggingFace || std::ranges::none_of(model->tensors, isDecoded)) return model;
    return Decoder(model).run();
}

bool hasMxfp4Blocks(const Model& model) {
    return std::ranges::any_of(model.tensors, [](const TensorInfo& tensor) {
        return isDecoded(tensor) && tensor.details->parts.front().ends_with("_blocks");
    });
}

} // namespace wb::convert
