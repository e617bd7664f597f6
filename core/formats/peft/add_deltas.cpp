// SPDX-License-Identifier: MIT
#include "core/formats/peft/delta_recipe.h"
#include "core/formats/peft/peft.h"
#include "core/model/fragments.h"
#include "core/tensor/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace wb::peft {
namespace {

struct Config {
    std::string kind; // peft_type
    std::optional<double> rank;
    double alpha = 0;
    const ValueObject* ranks = nullptr; // rank_pattern
    const ValueObject* alphas = nullptr;
    bool usesRoot = false; // use_rslora
};

std::optional<double> numberAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value ? value->number() : std::nullopt;
}

Config parseConfig(const Value* json) {
    Config config;
    const ValueObject* object = json ? json->object() : nullptr;
    if (!object) return config;
    if (const Value* kind = object->find("peft_type"); kind && kind->string()) config.kind = *kind->string();
    config.rank = numberAt(*object, "r");
    config.alpha = numberAt(*object, "lora_alpha").value_or(0);
    if (const Value* ranks = object->find("rank_pattern")) config.ranks = ranks->object();
    if (const Value* alphas = object->find("alpha_pattern")) config.alphas = alphas->object();
    if (const Value* root = object->find("use_rslora"))
        if (const bool* flag = std::get_if<bool>(&root->data)) config.usesRoot = *flag;
    return config;
}

enum class Match : std::uint8_t { No, Yes, Unknown };

// PEFT takes a key for a regular expression that the end of the module's path must match, from a dot on. Most keys are plain paths;
// "^" before one ties it to the beginning. What else is no plain path is not evaluated.
Match matches(std::string_view key, std::string_view module) {
    const bool isTied = key.starts_with('^');
    if (isTied) key.remove_prefix(1);
    if (key.ends_with('$')) key.remove_suffix(1);
    if (key.find_first_of("*+?()[]{}|\\^$") != std::string_view::npos) return Match::Unknown;
    if (module == key) return Match::Yes;
    const bool isEnd = !isTied && module.ends_with(key) && module[module.size() - key.size() - 1] == '.';
    return isEnd ? Match::Yes : Match::No;
}

// The number for this module; empty where a pattern would have to be evaluated to know it.
std::optional<double> byPattern(const ValueObject* patterns, std::string_view module, double otherwise) {
    if (!patterns) return otherwise;
    for (const Member& member : patterns->members) {
        const Match match = matches(member.key, module);
        if (match == Match::Unknown) return std::nullopt;
        if (match == Match::Yes) return member.value.number();
    }
    return otherwise;
}

std::string_view modulePath(std::string_view module) {
    constexpr std::string_view prefix = "base_model.model.";
    return module.starts_with(prefix) ? module.substr(prefix.size()) : module;
}

struct Form {
    std::string_view a; // the ending of A's name
    std::string_view b;
    bool isEmbedding;
};

constexpr std::array forms = {Form{".lora_A.weight", ".lora_B.weight", false},
                              Form{".lora_embedding_A", ".lora_embedding_B", true}};

class Builder {
public:
    Builder(Model& model, Config config) : m_model(model), m_config(config) {
        for (std::size_t i = 0; i < model.tensors.size(); ++i) m_stored.try_emplace(model.tensors[i].name, i);
    }

    void run() {
        for (const TensorInfo& a : m_model.tensors)
            for (const Form& form : forms)
                if (a.name.ends_with(form.a)) add(a, form);
        if (m_unclear != 0)
            m_model.problems.push_back(makeProblem(
                Severity::Note, "peft.not_joined", {}, std::nullopt,
                WB_TEXT("{} tensor pairs of the adapter are listed as stored: their shapes or patterns are not supported."),
                m_unclear));
        if (!m_config.kind.empty() && m_config.kind != "LORA")
            m_model.problems.push_back(
                makeProblem(Severity::Note, "peft.kind", {}, std::nullopt,
                            WB_TEXT("The adapter type {} is not supported; its tensors are listed as stored."), m_config.kind));
        std::ranges::move(m_deltas, std::back_inserter(m_model.tensors));
    }

private:
    void add(const TensorInfo& a, const Form& form) {
        const std::string module = a.name.substr(0, a.name.size() - form.a.size());
        const auto found = m_stored.find(module + std::string(form.b));
        if (found == m_stored.end() || (!m_config.kind.empty() && m_config.kind != "LORA")) return;
        const TensorInfo& b = m_model.tensors[found->second];
        const auto scale = scaleFromModule(module, a, b);
        if (!scale) {
            ++m_unclear;
            return;
        }
        const std::uint64_t rank = a.shape[0];
        // W = B · A, and of an embedding its transpose.
        const auto shape = form.isEmbedding ? Shape::make({a.shape[1], b.shape[0]}) : Shape::make({b.shape[0], a.shape[1]});
        const TensorInfo &left = form.isEmbedding ? a : b, &right = form.isEmbedding ? b : a;
        TensorInfo delta;
        delta.name = module + ".delta";
        delta.dtype = Dtype::F32;
        delta.shape = *shape;
        delta.logical = true;
        delta.source = TensorSource::recipe(
            std::make_shared<DeltaRecipe>(left.name, right.name, form.isEmbedding, *shape, rank, *scale), a.bytes() + b.bytes());
        delta.details = details(module, a, b, rank, *scale);
        m_deltas.push_back(std::move(delta));
    }

    std::shared_ptr<const TensorDetails> details(const std::string& module, const TensorInfo& a, const TensorInfo& b,
                                                 std::uint64_t rank, double scale) const {
        auto details = std::make_shared<TensorDetails>();
        const std::string magnitude = module + ".lora_magnitude_vector";
        const bool isDora = m_stored.contains(magnitude) || m_stored.contains(magnitude + ".weight");
        details->scheme = fmt::format("{} r{} scale {:g}", isDora ? "dora" : "lora", rank, scale);
        details->parts = {a.name, b.name};
        if (isDora) details->notes.push_back(fragmentText(fragment::direction));
        return details;
    }

    // Empty where the pair does not fit itself or the configuration.
    std::optional<double> scaleFromModule(const std::string& module, const TensorInfo& a, const TensorInfo& b) const {
        const auto isMatrix = [](const TensorInfo& tensor) {
            return tensor.shape.rank() == 2 && tensor.shape.elements() != 0 && tensor.isReadable() && canDecode(tensor.dtype) &&
                   info(tensor.dtype).blockElements == 1;
        };
        if (!isMatrix(a) || !isMatrix(b) || b.shape[1] != a.shape[0] || a.shape[0] > DeltaRecipe::maxRank) return std::nullopt;
        if (!Shape::make({b.shape[0], a.shape[1]})) return std::nullopt;
        if (!m_config.rank) return 1.0;
        const std::string_view path = modulePath(module);
        const auto rank = byPattern(m_config.ranks, path, *m_config.rank), alpha = byPattern(m_config.alphas, path, m_config.alpha);
        if (!rank || !alpha || *rank != static_cast<double>(a.shape[0])) return std::nullopt;
        return *alpha / (m_config.usesRoot ? std::sqrt(*rank) : *rank);
    }

    Model& m_model;
    Config m_config;
    std::unordered_map<std::string_view, std::size_t> m_stored;
    std::vector<TensorInfo> m_deltas;
    std::uint64_t m_unclear = 0;
};

} // namespace

std::optional<double> moduleNumber(const ValueObject& config, std::string_view key, std::string_view patterns,
                                   std::string_view module) {
    const Value* const paths = patterns.empty() ? nullptr : config.find(patterns);
    const auto usual = numberAt(config, key);
    const auto found = byPattern(paths ? paths->object() : nullptr, modulePath(module), usual.value_or(NAN));
    return found && !std::isnan(*found) ? found : std::nullopt;
}

void addDeltas(Model& model, const Value* config) { Builder(model, parseConfig(config)).run(); }

} // namespace wb::peft
