// SPDX-License-Identifier: MIT
#include "core/convert/convert/convert_plan.h"

#include "core/convert/convert/config_pairs.h"
#include "core/convert/convert/vocabulary.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::conversion {
namespace {

// The class of the model, by which the reference chooses the family.
std::string classOf(const ValueObject& config) {
    const Value* const list = findSet(config, "architectures");
    const bool hasName = list && list->array() && !list->array()->first.empty() && list->array()->first[0].string();
    return hasName ? *list->array()->first[0].string() : std::string();
}

Result<const ConvertFamily*> familyOf(const ValueObject& config) {
    const std::string modelClass = classOf(config);
    if (const ConvertFamily* const family = familyOfClass(modelClass)) return family;
    std::string known;
    for (const ConvertFamily& family : convertFamilies()) (known += known.empty() ? "" : ", ") += family.classes.front();
    if (modelClass.empty())
        return fail(ErrorCode::Unsupported, unknownFamily, About{"config.json"},
                    WB_TEXT("config.json names no model class under \"architectures\"; known are {}."), known);
    return fail(ErrorCode::Unsupported, unknownFamily, About{modelClass},
                WB_TEXT("The folder is of the class {}, which cannot be converted yet; known are {}."), modelClass, known);
}

Result<void> refuseQuantized(const ValueObject& config) {
    const Value* const quantized = findSet(config, "quantization_config");
    if (!quantized) return {};
    const std::string_view method = quantized->object() ? textOf(*quantized->object(), "quant_method") : "";
    return fail(ErrorCode::Unsupported, Reason("convert.quantized_source"), About{"config.json"},
                WB_TEXT("The weights are quantized already ({}), which cannot be converted yet."),
                method.empty() ? "of no named method" : method);
}

// A hub id of at most one slash, else the folder's own name.
std::string modelName(const SourceFolder& folder) {
    const std::string_view id = textOf(folder.config, "_name_or_path");
    if (!id.empty() && std::ranges::count(id, '/') <= 1 && !id.starts_with('/') && !id.starts_with('.') && !id.ends_with('/'))
        return titleOf(id.substr(id.find('/') + 1)); // npos + 1 is 0
    std::error_code error;
    const auto whole = std::filesystem::weakly_canonical(folder.model->folder, error);
    return titleOf(io::baseName(error ? folder.model->folder : whole));
}

// What LlamaModel of the reference adds after the vocabulary.
void addLlamaTokens(const SourceFolder& folder, std::uint64_t vocabulary, PairList& pairs) {
    constexpr std::uint64_t codeLlama = 32'016, graniteSmall = 49'152;
    if (vocabulary == codeLlama) {
        pairs.u32("tokenizer.ggml.prefix_token_id", 32'007, Origin::Computed);
        pairs.u32("tokenizer.ggml.suffix_token_id", 32'008, Origin::Computed);
        pairs.u32("tokenizer.ggml.middle_token_id", 32'009, Origin::Computed);
        pairs.u32("tokenizer.ggml.eot_token_id", 32'010, Origin::Computed);
    }
    const Value* const prefix = findSet(folder.tokenizerConfig, "add_prefix_space");
    if (const bool* const adds = prefix ? std::get_if<bool>(&prefix->data) : nullptr)
        pairs.truth("tokenizer.ggml.add_space_prefix", *adds, Origin::Tokenizer);
    if (vocabulary == graniteSmall) pairs.truth("tokenizer.ggml.add_bos_token", false, Origin::Computed);
}

class Planner {
public:
    Planner(ConvertPlan& plan, const ConvertRequest& request) : m_plan(plan), m_request(request) {}

    Result<void> run() {
        const SourceFolder& folder = m_plan.folder;
        WB_TRY_ASSIGN(m_family, familyOf(folder.config));
        WB_TRY(refuseQuantized(folder.config));
        PairList checked; // a number that is missing is named before the tensors are compared with it
        std::vector<Problem> unused;
        WB_TRY(addConfigPairs(folder, *m_family, commonPairs(), checked, unused));
        WB_TRY_ASSIGN(m_spec, arch::specOfConfig(folder.config, "config.json"));
        if (m_spec.layers.empty() || m_spec.headCount == 0 || m_spec.kvHeadCount == 0)
            return fail(ErrorCode::Malformed, Reason("convert.no_layers"), About{"config.json"},
                        WB_TEXT("config.json describes a model without layers or without attention heads."));
        m_plan.type = m_request.type.value_or(automaticType(folder));
        WB_TRY_ASSIGN(m_plan.tensors, planTensors(folder, *m_family, m_spec, m_plan.type));
        WB_TRY(addPairs());
        return layOut();
    }

private:
    Result<void> addPairs() {
        const SourceFolder& folder = m_plan.folder;
        m_pairs.text("general.architecture", m_family->architecture, Origin::Config);
        m_pairs.text("general.type", "model", Origin::Computed);
        if (m_request.modelName.empty()) m_pairs.text("general.name", modelName(folder), Origin::Computed);
        else m_pairs.text("general.name", m_request.modelName, Origin::Option);
        m_pairs.text("general.size_label", sizeLabel(m_plan.tensors, m_spec.experts.count), Origin::Computed);
        WB_TRY(addConfigPairs(folder, *m_family, commonPairs(), m_pairs, m_plan.problems));
        m_pairs.u32("general.file_type", gguf::info(m_plan.type).value, Origin::Computed);
        WB_TRY(addConfigPairs(folder, *m_family, m_family->own, m_pairs, m_plan.problems));
        m_pairs.u32("general.quantization_version", 2, Origin::Computed);
        WB_TRY(addVocabulary(folder, m_spec.vocabulary, m_request.preTokenizer, m_pairs));
        if (m_family->isLlama) addLlamaTokens(folder, m_spec.vocabulary, m_pairs);
        m_plan.pairs = m_pairs.pairs();
        return {};
    }

    Result<void> layOut() {
        std::vector<gguf::WrittenTensor> written;
        for (const PlannedTensor& tensor : m_plan.tensors) written.push_back({tensor.name, tensor.shape, tensor.to, true});
        WB_TRY_ASSIGN(gguf::Layout layout, gguf::layOut(m_pairs.stored(), written));
        for (std::size_t i = 0; i < m_plan.tensors.size(); ++i) m_plan.tensors[i].offset = layout.offsets[i];
        m_plan.header = std::move(layout.header);
        m_plan.fileBytes = layout.fileBytes;
        return {};
    }

    ConvertPlan& m_plan;
    const ConvertRequest& m_request;
    const ConvertFamily* m_family = nullptr;
    arch::ModelSpec m_spec;
    PairList m_pairs;
};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Words with capitals keep them; numbers and versions stay as they are.
std::string titledWord(std::string word) {
    const bool hasCapital = std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
    const auto isDigit = [&word](std::size_t i) { return i < word.size() && word[i] >= '0' && word[i] <= '9'; };
    if (hasCapital || isDigit(0)) return word;
    if (word[0] == 'v' && isDigit(1) && word.find_first_not_of("0123456789.", 1) == std::string::npos) return word;
    bool isInside = false;
    for (char& c : word) {
        if (isLetter(c) && !isInside) c = static_cast<char>(c - 'a' + 'A');
        isInside = isLetter(c);
    }
    return word;
}

} // namespace

std::span<const gguf::FileType> outTypes() {
    using enum gguf::FileType;
    static constexpr std::array types = {F32, F16, BF16, Q8_0, TQ1_0, TQ2_0};
    return types;
}

std::uint64_t ConvertPlan::sourceBytes() const {
    std::uint64_t bytes = 0;
    for (const PlannedTensor& tensor : tensors)
        for (const std::size_t source : tensor.sources) bytes += folder.model->tensors[source].bytes();
    return bytes;
}

Result<ConvertPlan> planConvert(ModelPtr model, const ConvertRequest& request) {
    ConvertPlan plan;
    WB_TRY_ASSIGN(plan.folder, readSourceFolder(std::move(model)));
    WB_TRY(Planner(plan, request).run());
    return plan;
}

std::string titleOf(std::string_view name) {
    std::string title, word;
    for (const char c : std::string(name) + ' ') {
        if (c != '-' && c != ' ') {
            word += c;
        } else if (!word.empty()) {
            (title += title.empty() ? "" : " ") += titledWord(std::move(word));
            word.clear();
        }
    }
    return title;
}

std::string sizeLabel(const std::vector<PlannedTensor>& tensors, std::uint64_t experts) {
    struct Unit {
        double above, scale;
        const char* suffix;
    };
    constexpr Unit units[] = {{1e12, 1e-12, "T"}, {1e9, 1e-9, "B"}, {1e6, 1e-6, "M"}, {-1, 1e-3, "K"}};
    std::uint64_t elements = 0;
    for (const PlannedTensor& tensor : tensors)
        elements += tensor.transform == Transform::Stack ? tensor.shape.elements() / std::max<std::uint64_t>(experts, 1)
                                                         : tensor.shape.elements();
    const auto& unit = *std::ranges::find_if(units, [elements](const Unit& u) { return static_cast<double>(elements) > u.above; });
    const double scaled = static_cast<double>(elements) * unit.scale;
    const double rounded = std::nearbyint(scaled);
    const int digits = rounded == 0 ? 0 : static_cast<int>(fmt::format("{:.0f}", rounded).size());
    const std::string number = fmt::format("{:.{}f}{}", scaled, std::max(2 - digits, 0), unit.suffix);
    return experts > 0 ? fmt::format("{}x{}", experts, number) : number;
}

} // namespace wb::conversion
