// SPDX-License-Identifier: MIT
#include "core/memory/subject.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/memory/amounts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace wb::memory {
namespace {

constexpr double maxParameters = 1e15; // of a size that is typed in

// "7B", "500M", "1.2T" as a number of parameters; empty for other words.
std::optional<double> sizeFromText(std::string_view text) {
    if (text.size() < 2) return {};
    const char unit = static_cast<char>(ascii::lower(text.back()));
    const double scale = unit == 'm' ? 1e6 : unit == 'b' ? 1e9 : unit == 't' ? 1e12 : 0;
    text.remove_suffix(1);
    if (scale == 0 || text.find_first_not_of("0123456789.") != std::string_view::npos) return {};
    const auto number = parseDouble(text);
    if (!number || !(*number > 0) || *number * scale > maxParameters || *number * scale < 1e6) return {};
    return *number * scale;
}

double distance(double a, double b) { return std::abs(std::log(a / b)); }

// The known shape that is nearest, of those with experts or those without.
const Shape* nearest(double parameters, std::optional<double> active) {
    const Shape* best = nullptr;
    double least = 0;
    for (const Shape& shape : knownShapes()) {
        if ((shape.experts > 0) != active.has_value()) continue;
        double apart = distance(static_cast<double>(shape.parameters()), parameters);
        if (active) apart += distance(static_cast<double>(shape.active()), *active);
        if (best && apart >= least) continue;
        best = &shape;
        least = apart;
    }
    return best;
}

Result<Subject> subjectLike(const Shape& shape, std::string_view text, double parameters) {
    WB_TRY_ASSIGN(Subject subject, subjectOfShape(shape, Trust::Rule));
    subject.name = text;
    subject.problems.push_back(makeProblem(
        Severity::Note, Reason("memory.shape_of"), "", {},
        WB_TEXT("A size does not determine the layers; those of {} ({} parameters) are assumed, with a 10% safety margin."),
        shape.name, humanCount(subject.parameters)));
    subject.parameters = static_cast<std::uint64_t>(parameters);
    subject.stored.scaleTo(subject.parameters);
    return subject;
}

// "8x7B": a model of this name exists or not; the experts share the attention, so that no product gives its size.
const Shape* namedShape(std::string_view text) {
    for (const Shape& shape : knownShapes()) {
        if (ascii::same(shape.name, text)) return &shape;
        const std::size_t dash = shape.name.find('-');
        const bool isProduct = text.find('x') != std::string_view::npos || text.find('X') != std::string_view::npos;
        if (isProduct && dash != std::string::npos && ascii::same(std::string_view(shape.name).substr(dash + 1), text))
            return &shape;
    }
    return nullptr;
}

Result<Subject> notKnown(std::string_view text) {
    return fail(ErrorCode::NotFound, Reason("memory.unknown_model"), About{std::string(text)},
                WB_TEXT("{} is not a file, a size such as 7B, 8x7B or 235B-A22B, or a known model name; enter a path or a size."),
                text);
}

// The reader's message about wrong numbers is better than "unknown".
Result<void> checkKnown(const Subject& subject) {
    if (subject.stored.total() > 0 || !subject.spec.layers.empty()) return {};
    return fail(ErrorCode::Unsupported, Reason("memory.nothing_known"), About{subject.name},
                WB_TEXT("{} has no tensors or layers to estimate; choose a model file, a folder or a config.json."), subject.name);
}

Result<Subject> subjectOfGguf(const ModelPtr& model, std::string name) {
    Subject subject;
    subject.name = std::move(name);
    subject.model = model;
    auto spec = arch::readSpec(*model);
    if (spec) {
        subject.spec = std::move(*spec);
    } else {
        subject.canConvert = false;
        subject.problems.push_back(asProblem(Severity::Warning, Reason("memory.only_weights"), "", spec.error()));
    }
    subject.stored = storedWeights(*model, subject.spec);
    subject.parameters = subject.stored.parameters;
    WB_TRY(checkKnown(subject));
    return subject;
}

// A config says the tensors of plain transformers; of others it says the caches, and the files say the bytes.
Result<Subject> subjectOfSpec(arch::ModelSpec spec, std::string name) {
    Subject subject;
    if (const auto shape = shapeFromSpec(spec)) {
        WB_TRY_ASSIGN(subject, subjectOfShape(*shape, Trust::Config));
    } else {
        subject.trust = Trust::Config;
        subject.model = std::make_shared<Model>();
        subject.canConvert = false;
    }
    subject.name = std::move(name);
    subject.spec = std::move(spec);
    subject.isGguf = false;
    return subject;
}

bool isNear(std::uint64_t a, std::uint64_t b) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= 0.02 * static_cast<double>(std::max(a, b));
}

// "model.layers.3.mlp.up_proj.weight", "transformer.h.3.mlp.c_fc.weight": 3; -1 outside of blocks.
std::int64_t blockFromName(std::string_view name) {
    constexpr std::array<std::string_view, 5> words = {"layers", "layer", "h", "blocks", "block"};
    for (std::string_view before; !name.empty();) {
        const std::size_t dot = name.find('.');
        const std::string_view word = name.substr(0, dot);
        name = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
        std::uint32_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        const bool isNumber = error == std::errc() && end == word.data() + word.size();
        if (isNumber && std::ranges::find(words, before) != words.end()) return number;
        before = word;
    }
    return -1;
}

bool isEmbedding(std::string_view name) {
    constexpr std::array<std::string_view, 4> words = {"embed_tokens", "wte", "word_embeddings", "tok_embeddings"};
    return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

// As stored, by the names of Hugging Face: which block each tensor belongs to, and what stays in RAM.
Weights folderWeights(const Model& model, const arch::ModelSpec& spec) {
    Weights weights;
    weights.blocks.resize(spec.trunkLayers());
    weights.experts.resize(spec.trunkLayers());
    std::uint64_t embeddings = 0;
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.isUncounted()) continue;
        const std::int64_t block = blockFromName(tensor.name);
        const auto index = static_cast<std::size_t>(std::max<std::int64_t>(0, block));
        if (block >= 0 && index >= weights.blocks.size() && spec.predictionLayers > 0) {
            weights.prediction = sum(weights.prediction, tensor.bytes());
            continue;
        }
        const bool isBlock = block >= 0 && index < weights.blocks.size();
        const bool isInput = !isBlock && isEmbedding(tensor.name);
        std::uint64_t& place = isBlock ? weights.blocks[index] : isInput ? weights.input : weights.head;
        place = sum(place, tensor.bytes());
        if (isInput) embeddings = sum(embeddings, tensor.bytes());
        if (isBlock && tensor.name.find(".experts.") != std::string::npos)
            weights.experts[index] = sum(weights.experts[index], tensor.bytes());
    }
    if (spec.tiedEmbeddings) weights.tiedHead = embeddings;
    return weights;
}

Result<Subject> subjectOfFolder(const ModelPtr& model, std::string name) {
    WB_TRY_ASSIGN(arch::ModelSpec spec, arch::readSpec(*model));
    WB_TRY_ASSIGN(Subject subject, subjectOfSpec(std::move(spec), std::move(name)));
    subject.trust = Trust::Header;
    const std::uint64_t parameters = model->parameters();
    if (parameters == 0) {
        subject.trust = Trust::Config;
        return subject;
    }
    if (!isNear(parameters, subject.parameters)) {
        subject.canConvert = false;
        subject.stored.blocks.assign(subject.spec.trunkLayers(), 0);
        subject.problems.push_back(makeProblem(
            Severity::Note, Reason("memory.types_unknown"), "", {},
            WB_TEXT(
                "This model is not a plain transformer; its weights are counted as stored, and other types are not available.")));
    }
    subject.parameters = parameters;
    subject.stored = folderWeights(*model, subject.spec);
    subject.stored.parameters = parameters;
    return subject;
}

// A config of a model that computes has these above zero; the names are those of most families.
Result<void> checkConfig(const arch::ModelSpec& spec, const std::string& file) {
    const bool hasHeads = spec.headCount > 0 || std::ranges::any_of(spec.layers, [](const arch::LayerSpec& layer) {
                              return layer.heads > 0 || layer.recurrence != arch::Recurrence::None;
                          });
    const char* const missing = spec.layers.empty()    ? "num_hidden_layers"
                                : spec.width == 0      ? "hidden_size"
                                : spec.vocabulary == 0 ? "vocab_size"
                                : !hasHeads            ? "num_attention_heads"
                                                       : nullptr;
    if (missing == nullptr) return {};
    return fail(ErrorCode::Malformed, Reason("memory.config_incomplete"), About{file},
                WB_TEXT("{} has no positive {}; choose the config.json of a language model."), file, missing);
}

} // namespace

const char* trustName(Trust trust) {
    constexpr std::array<const char*, 5> names = {"allocated", "plan", "header", "config", "rule"};
    return names[static_cast<std::size_t>(trust)];
}

Result<Weights> Subject::weights(const WeightType* type) const {
    if (!type) return stored;
    if (!canConvert)
        return fail(
            ErrorCode::Unsupported, Reason("memory.no_other_types"), About{name},
            WB_TEXT("The tensor types of {} cannot be determined for other quantizations; only the weights as stored are counted."),
            name);
    if (!type->hasMix || (!isGguf && type->elsewhere != WeightForm::Mix)) {
        Weights formed = weightsIn(type->elsewhere, *model, spec);
        formed.type = type->name;
        if (trust == Trust::Rule) formed.scaleTo(parameters);
        return formed;
    }
    WB_TRY_ASSIGN(Weights chosen, weightsAs(*model, spec, *type));
    if (trust == Trust::Rule) chosen.scaleTo(parameters);
    return chosen;
}

quant::PublishedDivergence typeDivergence(const WeightType& type, const Subject& subject) {
    return subject.isGguf || type.elsewhere == WeightForm::Mix ? typeDivergence(type) : quant::PublishedDivergence();
}

Result<Subject> memorySubject(const ModelPtr& model) {
    std::string name = io::baseName(model->path);
    if (model->metadata.find("general.architecture")) return subjectOfGguf(model, std::move(name));
    if (model->metadata.find("config.json")) return subjectOfFolder(model, std::move(name));
    return fail(ErrorCode::Unsupported, Reason("memory.no_hyperparameters"), About{name},
                WB_TEXT("{} does not describe the model's layers; open a GGUF file, a folder with config.json or a config.json."),
                name);
}

Result<Subject> subjectOfShape(const Shape& shape, Trust trust) {
    Subject subject;
    subject.name = shape.name;
    subject.trust = trust;
    auto model = std::make_shared<Model>(modelFromShape(shape));
    WB_TRY_ASSIGN(subject.spec, arch::readSpec(*model));
    subject.spec.tiedEmbeddings = shape.tied;
    subject.parameters = model->parameters();
    subject.stored = storedWeights(*model, subject.spec);
    subject.stored.type = "FP16";
    subject.model = std::move(model);
    return subject;
}

Result<Subject> subjectOfConfig(const ValueObject& config, const std::string& file) {
    WB_TRY_ASSIGN(arch::ModelSpec spec, arch::specOfConfig(config, file));
    WB_TRY(checkConfig(spec, file));
    WB_TRY_ASSIGN(Subject subject, subjectOfSpec(std::move(spec), file));
    return subject;
}

Result<Subject> subjectOfSize(std::string_view text) {
    if (const Shape* named = namedShape(text)) {
        WB_TRY_ASSIGN(Subject subject, subjectOfShape(*named, Trust::Rule));
        subject.problems.push_back(makeProblem(Severity::Note, Reason("memory.shape_of"), "", {},
                                               WB_TEXT("Layers as in {} ({} parameters)."), named->name,
                                               humanCount(subject.parameters)));
        return subject;
    }
    const std::size_t dash = text.find('-');
    const auto size = sizeFromText(text.substr(0, dash));
    if (!size) return notKnown(text);
    if (dash == std::string_view::npos) return subjectLike(*nearest(*size, {}), text, *size);
    const std::string_view rest = text.substr(dash + 1);
    if (rest.empty() || ascii::lower(rest[0]) != 'a') return notKnown(text);
    const auto active = sizeFromText(rest.substr(1));
    if (!active || *active > *size) return notKnown(text);
    return subjectLike(*nearest(*size, active), text, *size);
}

} // namespace wb::memory
