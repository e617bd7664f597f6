// SPDX-License-Identifier: MIT
#include "core/convert/gguf/convert_plan.h"

#include "core/arch/config_keys.h"
#include "core/convert/gguf/config_pairs.h"
#include "core/convert/gguf/sampling_pairs.h"
#include "core/convert/gguf/vocabulary.h"
#include "core/merge/adapters.h"
#include "core/text/tokenizer_names.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::convert {
namespace {

// The class of the model, by which the reference chooses the family.
std::string configClass(const ValueObject& config) {
    const Value* const list = findSet(config, "architectures");
    const bool hasName = list && list->array() && !list->array()->first.empty() && list->array()->first[0].string();
    return hasName ? *list->array()->first[0].string() : std::string();
}

// What keeps a family that inspecting and chat know from being converted; empty if unknown.
std::string_view unknownPart(const ValueObject& config) {
    const auto spec = arch::specOfConfig(config, "config.json");
    if (!spec) return {};
    if (spec->latent.keyValueRank > 0) return WB_TEXT("multi-head latent attention");
    switch (spec->recurrent.kind) {
    case arch::Recurrence::Mamba: return WB_TEXT("Mamba layers");
    case arch::Recurrence::Mamba2: return WB_TEXT("Mamba-2 layers");
    case arch::Recurrence::DeltaNet: return WB_TEXT("gated delta rule");
    case arch::Recurrence::Kda: return WB_TEXT("Kimi delta attention");
    case arch::Recurrence::ShortConvolution: return WB_TEXT("short convolutions");
    case arch::Recurrence::Rwkv: return WB_TEXT("RWKV layers");
    case arch::Recurrence::None: break;
    }
    return {};
}

std::size_t sharedBeginning(std::string_view one, std::string_view other) {
    const auto [first, second] = std::ranges::mismatch(one, other);
    return static_cast<std::size_t>(first - one.begin());
}

// Those classes that start most like this one; empty where none does.
std::string nearestClasses(std::string_view modelClass) {
    constexpr std::size_t likeness = 3; // characters that tell more than chance
    std::size_t most = likeness;
    for (const std::string_view known : arch::folderClasses()) most = std::max(most, sharedBeginning(modelClass, known));
    std::string names;
    for (const std::string_view known : arch::folderClasses())
        if (most > likeness && sharedBeginning(modelClass, known) == most)
            (names += names.empty() ? "" : ", ") += std::string(known);
    return names;
}

// MXFP4 stays as it is; what can be decoded has lost its configuration (decodedModel).
Result<void> refuseQuantized(const ValueObject& config) {
    const Value* const quantized = findSet(config, "quantization_config");
    if (!quantized) return {};
    const std::string_view method = quantized->object() ? memberText(*quantized->object(), "quant_method") : "";
    if (method == "mxfp4") return {};
    return fail(
        ErrorCode::Unsupported, Reason("convert.quantized_source"), About{"config.json"},
        WB_TEXT("The weights are quantized in a way ({}) that cannot be decoded, so the folder cannot be converted; use the "
                "original model."),
        method.empty() ? WB_TEXT("unnamed method") : method);
}

// A hub id of at most one slash, else the folder's own name.
std::string modelName(const SourceFolder& folder) {
    const std::string_view id = memberText(folder.config, "_name_or_path");
    if (!id.empty() && std::ranges::count(id, '/') <= 1 && !id.starts_with('/') && !id.starts_with('.') && !id.ends_with('/'))
        return titleFromName(id.substr(id.find('/') + 1)); // npos + 1 is 0
    std::error_code error;
    const auto whole = std::filesystem::weakly_canonical(folder.model->folder, error);
    return titleFromName(io::baseName(error ? folder.model->folder : whole));
}

// Pairs that the reference adds after the vocabulary by its size (conversion/llama.py).
void addSentencePieceHints(const SourceFolder& folder, std::uint64_t vocabulary, PairList& pairs) {
    constexpr std::uint64_t infilling = 32'016, withoutBos = 49'152;
    if (vocabulary == infilling) {
        pairs.u32("tokenizer.ggml.prefix_token_id", 32'007, Origin::Computed);
        pairs.u32("tokenizer.ggml.suffix_token_id", 32'008, Origin::Computed);
        pairs.u32("tokenizer.ggml.middle_token_id", 32'009, Origin::Computed);
        pairs.u32("tokenizer.ggml.eot_token_id", 32'010, Origin::Computed);
    }
    const Value* const prefix = findSet(folder.tokenizerConfig, "add_prefix_space");
    if (const bool* const adds = prefix ? std::get_if<bool>(&prefix->data) : nullptr)
        pairs.truth("tokenizer.ggml.add_space_prefix", *adds, Origin::Tokenizer);
    if (vocabulary == withoutBos) pairs.truth("tokenizer.ggml.add_bos_token", false, Origin::Computed);
}

class Planner {
public:
    Planner(ConvertPlan& plan, const ConvertRequest& request) : m_plan(plan), m_request(request) {}

    Result<void> run() {
        const SourceFolder& folder = m_plan.folder;
        WB_TRY_ASSIGN(m_family, familyOfConfig(folder.config));
        WB_TRY(refuseQuantized(folder.config));
        PairList checked; // a number that is missing is named before the tensors are compared with it
        std::vector<Problem> unused;
        WB_TRY(addConfigPairs({folder.config, m_family, m_spec, checked, unused}, m_family.rules->keys));
        WB_TRY_ASSIGN(m_spec, arch::specOfConfig(folder.config, "config.json"));
        if (m_spec.layers.empty() || std::ranges::none_of(m_spec.layers, &arch::LayerSpec::hasAttention))
            return fail(ErrorCode::Malformed, Reason("convert.no_layers"), About{"config.json"},
                        WB_TEXT("config.json describes a model without layers or without attention heads."));
        m_plan.type = m_request.type.value_or(automaticType(folder));
        if (!m_request.onlyVocabulary) WB_TRY(addTensors());
        std::ranges::move(merge::mergeRemarks(*folder.model), std::back_inserter(m_plan.problems));
        noteCompleted();
        WB_TRY(addPairs());
        return layOut(m_plan, m_pairs.stored());
    }

private:
    Result<void> addTensors() {
        const SourceFolder& folder = m_plan.folder;
        WB_TRY_ASSIGN(TensorPlan planned,
                      planTensors(folder, m_family, m_spec, m_plan.type, m_request.isForComparison, m_request.keepsBlocks));
        noteLeftOut(planned);
        noteKept(planned);
        m_isQuantized = planned.keepsQuantized && findSet(folder.config, "quantization_config");
        m_plan.tensors = std::move(planned.tensors);
        return {};
    }

    void noteLeftOut(const TensorPlan& planned) {
        if (planned.leftOut == 0) return;
        m_plan.problems.push_back(makeProblem(
            Severity::Note, "convert.left_out", "", std::nullopt,
            WB_TEXT("{} vision and audio tensors are omitted, for example {}; the new file contains only the text model."),
            planned.leftOut, planned.firstLeftOut));
    }

    void noteKept(const TensorPlan& planned) {
        m_kept = planned.keptType;
        m_plan.keepsBlocks = planned.kept > 0;
        if (planned.kept == 0) return;
        m_plan.problems.push_back(makeProblem(Severity::Note, "convert.kept_blocks", "", std::nullopt,
                                              WB_TEXT("{} tensors stay {}: the new file has the values of the quantized folder."),
                                              planned.kept, name(planned.keptType)));
    }

    void noteCompleted() {
        std::string names;
        for (const std::string& name : m_plan.folder.completed) (names += names.empty() ? "" : ", ") += name;
        if (names.empty()) return;
        m_plan.problems.push_back(makeProblem(
            Severity::Note, "convert.config_completed", "config.json", std::nullopt,
            WB_TEXT("config.json omits {}; the defaults of the model class are written, as in the reference converter."), names));
    }

    void noteScoreless() {
        const gguf::StoredPair scored = gguf::makePair("tokenizer.ggml.model", text::tokenizer_model::spm);
        const bool isScored = std::ranges::any_of(m_pairs.pairs(), [&scored](const PlannedPair& pair) {
            return pair.stored.key == scored.key && pair.stored.bytes == scored.bytes;
        });
        if (m_plan.folder.tokenizerModel || !isScored) return;
        m_plan.problems.push_back(makeProblem(
            Severity::Warning, "convert.no_scores", "tokenizer.json", std::nullopt,
            WB_TEXT("The folder has no tokenizer.model, and tokenizer.json has no scores: all tokens get the same score, as in the "
                    "reference converter, and text may be tokenized differently. Add tokenizer.model if available.")));
    }

    // Tensors that stay MXFP4 give the file its type where config.json reports it, unless it was to be smaller
    // (docs/reference/conversion.md, "config.json → KV"; without the word of config.json the reference keeps the
    // type of the rest).
    std::uint32_t fileType() const {
        const bool isFloat =
            m_plan.type == gguf::FileType::F32 || m_plan.type == gguf::FileType::F16 || m_plan.type == gguf::FileType::BF16;
        if (isFloat && m_kept == Dtype::NVFP4) return gguf::info(gguf::FileType::NVFP4).value;
        const bool isMx = m_isQuantized || m_kept == Dtype::MXFP4;
        return gguf::info(isMx && isFloat ? gguf::FileType::MXFP4_MOE : m_plan.type).value;
    }

    Result<void> addPairs() {
        const SourceFolder& folder = m_plan.folder;
        const PairContext context{folder.config, m_family, m_spec, m_pairs, m_plan.problems, folder.model.get()};
        m_pairs.text("general.architecture", m_family.family->architecture, Origin::Config);
        for (const KeyRule& rule : m_family.rules->keys) // the reference writes it with the tensors
            if (rule.kind == KeyKind::LongRopeFactor) WB_TRY(addConfigPairs(context, {&rule, 1}));
        m_pairs.text("general.type", "model", Origin::Computed);
        WB_TRY(addSampling(folder.generation, m_pairs));
        if (m_request.modelName.empty()) m_pairs.text("general.name", modelName(folder), Origin::Computed);
        else m_pairs.text("general.name", m_request.modelName, Origin::Option);
        if (!m_request.onlyVocabulary)
            m_pairs.text("general.size_label", sizeLabel(m_plan.tensors, m_spec.experts.count), Origin::Computed);
        for (const auto& [key, text] : m_request.metadata) m_pairs.text(key, text, Origin::Option);
        WB_TRY(addConfigPairs(context, m_family.rules->keys));
        m_pairs.u32("general.file_type", fileType(), Origin::Computed);
        WB_TRY(addConfigPairs(context, m_family.rules->ownKeys));
        m_pairs.u32("general.quantization_version", 2, Origin::Computed);
        auto vocabulary = addVocabulary(folder, *m_family.rules, m_spec.vocabulary, m_request.preTokenizer, m_pairs);
        if (!vocabulary && !m_request.isForComparison) return vocabulary;
        noteScoreless();
        if (m_family.rules->sentencePieceHints) addSentencePieceHints(folder, m_spec.vocabulary, m_pairs);
        WB_TRY(addConfigPairs(context, m_family.rules->tokenizerKeys));
        if (m_request.chatTemplate) m_pairs.text("tokenizer.chat_template", *m_request.chatTemplate, Origin::Option);
        m_plan.pairs = m_pairs.pairs();
        return {};
    }

    ConvertPlan& m_plan;
    const ConvertRequest& m_request;
    FolderFamily m_family;
    arch::ModelSpec m_spec;
    PairList m_pairs;
    bool m_isQuantized = false;
    Dtype m_kept = Dtype::Unknown; // of weights that stay blocks
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

Result<FolderFamily> familyOfConfig(const ValueObject& config) {
    const std::string modelClass = configClass(config);
    const auto keys = arch::keysOfConfig(config, "config.json");
    if (const FolderFamily family = arch::findFolderFamily(modelClass, keys ? keys->architecture : "")) return family;
    if (modelClass.empty())
        return fail(ErrorCode::Unsupported, unknownFamily, About{"config.json"},
                    WB_TEXT("config.json lists no model class under \"architectures\"; docs/convert.md lists the supported ones."));
    if (const std::string_view part = unknownPart(config); !part.empty())
        return fail(ErrorCode::Unsupported, unknownFamily, About{modelClass},
                    WB_TEXT("The folder has the model class {}, whose {} cannot be converted yet."), modelClass, part);
    const std::string near = nearestClasses(modelClass);
    if (near.empty())
        return fail(ErrorCode::Unsupported, unknownFamily, About{modelClass},
                    WB_TEXT("The model class {} cannot be converted yet; docs/convert.md lists the supported ones."), modelClass);
    return fail(ErrorCode::Unsupported, unknownFamily, About{modelClass},
                WB_TEXT("The model class {} cannot be converted yet; the closest supported ones are {}."), modelClass, near);
}

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

Result<void> layOut(ConvertPlan& plan, const std::vector<gguf::StoredPair>& pairs) {
    std::vector<gguf::WrittenTensor> written;
    for (const PlannedTensor& tensor : plan.tensors) written.push_back({tensor.name, tensor.shape, tensor.to, true});
    WB_TRY_ASSIGN(gguf::Layout layout, gguf::layOut(pairs, written));
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) plan.tensors[i].offset = layout.offsets[i];
    plan.header = std::move(layout.header);
    plan.fileBytes = layout.fileBytes;
    return {};
}

Result<ConvertPlan> planConvert(ModelPtr model, const ConvertRequest& request) {
    ConvertPlan plan;
    WB_TRY_ASSIGN(plan.folder, readSourceFolder(std::move(model), request.onlyVocabulary));
    WB_TRY(Planner(plan, request).run());
    return plan;
}

std::string titleFromName(std::string_view name) {
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
    for (const PlannedTensor& tensor : tensors) {
        const bool isOfExperts = tensor.name.ends_with("_exps.weight");
        elements += tensor.shape.elements() / (isOfExperts ? std::max<std::uint64_t>(experts, 1) : 1);
    }
    const auto& unit = *std::ranges::find_if(units, [elements](const Unit& u) { return static_cast<double>(elements) > u.above; });
    const double scaled = static_cast<double>(elements) * unit.scale;
    const double rounded = std::nearbyint(scaled);
    const int digits = rounded == 0 ? 0 : static_cast<int>(fmt::format("{:.0f}", rounded).size());
    const std::string number = fmt::format("{:.{}f}{}", scaled, std::max(2 - digits, 0), unit.suffix);
    return experts > 0 ? fmt::format("{}x{}", experts, number) : number;
}

} // namespace wb::convert
