// SPDX-License-Identifier: MIT
#include "core/convert/merge/mergekit_file.h"

#include "core/formats/yaml/yaml.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <array>

namespace wb::convert {
namespace {

namespace fs = std::filesystem;
using merge::MergeKey;
using merge::MergeMethod;
using merge::MergeRule;

constexpr std::array methodNames = {std::pair{MergeMethod::Linear, "linear"},
                                    std::pair{MergeMethod::Slerp, "slerp"},
                                    std::pair{MergeMethod::TaskArithmetic, "task_arithmetic"},
                                    std::pair{MergeMethod::Ties, "ties"},
                                    std::pair{MergeMethod::DareLinear, "dare_linear"},
                                    std::pair{MergeMethod::DareTies, "dare_ties"},
                                    std::pair{MergeMethod::Layers, "passthrough"}};
constexpr std::array typeNames = {std::pair{Dtype::F32, "float32"}, std::pair{Dtype::F16, "float16"},
                                  std::pair{Dtype::BF16, "bfloat16"}};

const Value* setMember(const ValueObject& object, std::string_view key) {
    const Value* const value = object.find(key);
    return value && value->type != ValueType::Null ? value : nullptr;
}

bool isPlainFilter(std::string_view pattern) {
    return !pattern.empty() && pattern.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos;
}

class RecipeReader {
public:
    RecipeReader(const ValueObject& root, const std::string& name, const fs::path& folder)
        : m_root(root), m_name(name), m_folder(folder) {}

    Result<MergekitRecipe> read() {
        WB_TRY(readMethod());
        if (merge::dropsAtRandom(settings().method)) settings().rescale = merge::MergeRescale::L1; // mergekit's default
        const Value* const base = setMember(m_root, "base_model");
        if (base) {
            WB_TRY_ASSIGN(m_recipe.base, valueModel(*base));
        }
        const Value* const slices = setMember(m_root, "slices");
        if (slices) WB_TRY(readSlices(*slices));
        else WB_TRY(readModels());
        const Value* const parameters = setMember(m_root, "parameters");
        if (parameters) WB_TRY(readParameters(*parameters));
        WB_TRY(readRest());
        WB_TRY(checkSettings(m_recipe.choices.settings));
        return m_recipe;
    }

private:
    merge::MergeSettings& settings() { return m_recipe.choices.settings; }

    std::unexpected<Error> malformed(std::string_view member) const {
        return fail(ErrorCode::Malformed, Reason("mergekit.member"), About{m_name},
                    WB_TEXT("{} is not a valid mergekit configuration: its field \"{}\" is missing or invalid."), m_name, member);
    }

    std::unexpected<Error> unsupported(std::string_view what) const {
        return fail(ErrorCode::Unsupported, Reason("mergekit.unsupported"), About{m_name},
                    WB_TEXT("{} uses \"{}\" in a way that is not supported here; run it in mergekit."), m_name, what);
    }

    Result<void> readMethod() {
        const Value* const method = setMember(m_root, "merge_method");
        if (!method || !method->string()) return malformed("merge_method");
        const auto known = std::ranges::find(methodNames, std::string_view(*method->string()),
                                             [](const auto& each) { return std::string_view(each.second); });
        if (known == methodNames.end()) return unsupported(*method->string());
        settings().method = known->first;
        return {};
    }

    Result<std::string> valueModel(const Value& value) const {
        if (!value.string() || value.string()->empty()) return malformed("model");
        const fs::path given(std::u8string(value.string()->begin(), value.string()->end()));
        const auto whole = (given.is_absolute() ? given : m_folder / given).lexically_normal().generic_u8string();
        return std::string(whole.begin(), whole.end());
    }

    // The models of a list, with their own parameters. The base of differences may be among them.
    Result<void> readModels() {
        const Value* const models = setMember(m_root, "models");
        if (!models || !models->array() || models->array()->first.empty()) return malformed("models");
        for (const Value& element : models->array()->first) {
            const Value* const model = element.object() ? setMember(*element.object(), "model") : nullptr;
            if (!model) return malformed("models");
            WB_TRY_ASSIGN(const std::string path, valueModel(*model));
            WB_TRY(addModel(path, setMember(*element.object(), "parameters")));
        }
        return {};
    }

    Result<void> addModel(const std::string& path, const Value* parameters) {
        if (m_recipe.base.empty()) m_recipe.base = path;
        std::optional<double> weight;
        if (parameters && parameters->object())
            for (const Member& member : parameters->object()->members) {
                const auto number = member.value.number();
                if (member.key == "weight" && number) weight = number;
                else if (member.key == "density" && number && path != m_recipe.base) WB_TRY(setDensity(*number));
                else if (path != m_recipe.base) return unsupported(member.key);
            }
        if (path == m_recipe.base) {
            if (weight && settings().method == MergeMethod::Linear) settings().baseWeight = *weight;
            m_hasBaseWeight = true;
            return {};
        }
        m_recipe.choices.models.push_back(path);
        settings().weights.push_back(weight.value_or(1));
        return {};
    }

    // All models have one density here.
    Result<void> setDensity(double density) {
        if (m_density && *m_density != density) return unsupported("density");
        m_density = density;
        settings().density = density;
        return {};
    }

    // Layers of several models, or two models with the same layers.
    Result<void> readSlices(const Value& slices) {
        if (!slices.array() || slices.array()->first.empty()) return malformed("slices");
        const bool isPassthrough = settings().method == MergeMethod::Layers;
        if (!isPassthrough && slices.array()->first.size() != 1) return unsupported("slices");
        for (const Value& slice : slices.array()->first) {
            const Value* const sources = slice.object() ? setMember(*slice.object(), "sources") : nullptr;
            if (!sources || !sources->array() || sources->array()->first.empty()) return malformed("sources");
            if (isPassthrough && sources->array()->first.size() != 1) return unsupported("sources");
            for (const Value& source : sources->array()->first) WB_TRY(addSource(source, isPassthrough));
            if (const Value* const parameters = setMember(*slice.object(), "parameters")) WB_TRY(readParameters(*parameters));
        }
        return {};
    }

    Result<void> addSource(const Value& source, bool isPassthrough) {
        const Value* const model = source.object() ? setMember(*source.object(), "model") : nullptr;
        const Value* const range = source.object() ? setMember(*source.object(), "layer_range") : nullptr;
        const auto* const ends = range ? range->array() : nullptr;
        const bool isRange = ends && ends->first.size() == 2 && ends->first[0].unsignedNumber() &&
                             ends->first[1].unsignedNumber() && *ends->first[0].unsignedNumber() < *ends->first[1].unsignedNumber();
        if (!model || !isRange) return malformed("sources");
        WB_TRY_ASSIGN(const std::string path, valueModel(*model));
        const std::uint64_t first = *ends->first[0].unsignedNumber(), last = *ends->first[1].unsignedNumber() - 1;
        if (!isPassthrough) {
            if (first != 0) return unsupported("layer_range");
            return addModel(path, setMember(*source.object(), "parameters"));
        }
        if (setMember(*source.object(), "parameters")) return unsupported("parameters");
        if (m_recipe.base.empty()) m_recipe.base = path;
        settings().layers.push_back({placeFromPath(path), first, last});
        return {};
    }

    std::uint64_t placeFromPath(const std::string& path) {
        if (path == m_recipe.base) return 0;
        auto& models = m_recipe.choices.models;
        const auto found = std::ranges::find(models, path);
        if (found != models.end()) return static_cast<std::uint64_t>(found - models.begin()) + 1;
        models.push_back(path);
        settings().weights.push_back(1);
        return models.size();
    }

    Result<void> readParameters(const Value& parameters) {
        if (!parameters.object()) return malformed("parameters");
        for (const Member& member : parameters.object()->members) {
            const bool* const flag = std::get_if<bool>(&member.value.data);
            if (member.key == "normalize" && flag) settings().normalizes = *flag;
            else if (member.key == "int8_mask" && flag) continue; // memory alone
            else if (member.key == "rescale" && flag)
                settings().rescale = *flag ? merge::MergeRescale::L1 : merge::MergeRescale::None;
            else if (member.key == "lambda" && member.value.number()) settings().lambda = *member.value.number();
            else if (const auto key = merge::mergeKeyFromName(member.key)) WB_TRY(readKey(*key, member));
            else return unsupported(member.key);
        }
        return {};
    }

    // A number, a gradient, or a list of those with filters, the last without.
    Result<void> readKey(MergeKey key, const Member& member) {
        const ValueArray* const list = member.value.array();
        const bool hasFilters = list && !list->first.empty() && list->first[0].object();
        if (!hasFilters) return addValue(key, "", member.value, member.key);
        for (const Value& element : list->first) {
            const Value* const value = element.object() ? setMember(*element.object(), "value") : nullptr;
            const Value* const filter = element.object() ? setMember(*element.object(), "filter") : nullptr;
            if (!value || (filter && !filter->string())) return malformed(member.key);
            if (filter && !isPlainFilter(*filter->string())) return unsupported(*filter->string());
            WB_TRY(addValue(key, filter ? *filter->string() : std::string(), *value, member.key));
        }
        return {};
    }

    Result<void> addValue(MergeKey key, const std::string& filter, const Value& value, const std::string& member) {
        MergeRule rule{filter, key, {}};
        if (const auto number = value.number()) rule.values = {*number};
        for (const Value& element : value.array() ? value.array()->first : std::vector<Value>()) {
            const auto number = element.number();
            if (!number) return malformed(member);
            rule.values.push_back(*number);
        }
        if (rule.values.empty()) return malformed(member);
        const bool isWhole = filter.empty() && rule.values.size() == 1;
        if (isWhole && key == MergeKey::T) settings().t = rule.values[0];
        else if (isWhole && key == MergeKey::Density) return setDensity(rule.values[0]);
        else if (isWhole && key == MergeKey::Weight) std::ranges::fill(settings().weights, rule.values[0]);
        else {
            if (rule.pattern.empty()) rule.pattern = ".";
            settings().rules.push_back(std::move(rule));
        }
        return {};
    }

    Result<void> readRest() {
        if (settings().method == MergeMethod::Linear && !m_hasBaseWeight) settings().baseWeight = 0;
        for (const char* const key : {"dtype", "out_dtype"})
            if (const Value* const type = setMember(m_root, key)) {
                if (!type->string()) return malformed(key);
                const auto known = std::ranges::find(typeNames, std::string_view(*type->string()),
                                                     [](const auto& each) { return std::string_view(each.second); });
                if (known == typeNames.end()) return unsupported(*type->string());
                m_recipe.type = known->first;
            }
        const Value* const tokenizer = setMember(m_root, "tokenizer_source");
        if (setMember(m_root, "tokenizer")) return unsupported("tokenizer");
        if (!tokenizer) return {};
        if (!tokenizer->string() || *tokenizer->string() == "union") return unsupported("tokenizer_source");
        if (*tokenizer->string() == "base") {
            m_recipe.choices.tokenizer = "base";
            return {};
        }
        WB_TRY_ASSIGN(const std::string path, valueModel(*tokenizer));
        m_recipe.choices.tokenizer = path == m_recipe.base ? "base" : path;
        return {};
    }

    const ValueObject& m_root;
    const std::string& m_name;
    const fs::path& m_folder;
    MergekitRecipe m_recipe;
    std::optional<double> m_density;
    bool m_hasBaseWeight = false;
};

std::string valuesList(std::span<const double> values) {
    if (values.size() == 1) return fmt::format("{}", values[0]);
    std::string text = "[";
    for (const double value : values) text += fmt::format("{}{}", text.size() == 1 ? "" : ", ", value);
    return text + "]";
}

// The rules of a key, then the number of all other tensors.
std::string parameterText(const merge::MergeSettings& settings, MergeKey key, double usual) {
    std::string text = fmt::format("  {}:\n", name(key));
    bool isAny = false, isWhole = false;
    for (const MergeRule& rule : settings.rules) {
        if (rule.key != key || isWhole) continue;
        isAny = true;
        isWhole = rule.pattern == ".";
        text += isWhole ? fmt::format("    - value: {}\n", valuesList(rule.values))
                        : fmt::format("    - filter: {}\n      value: {}\n", yaml::quoted(rule.pattern), valuesList(rule.values));
    }
    if (!isAny) return fmt::format("  {}: {}\n", name(key), usual);
    return isWhole ? text : text + fmt::format("    - value: {}\n", usual);
}

std::string modelText(const std::string& path, std::string_view parameters) {
    std::string text = fmt::format("  - model: {}\n", yaml::quoted(path));
    if (!parameters.empty()) text += fmt::format("    parameters:\n{}", parameters);
    return text;
}

} // namespace

Result<MergekitRecipe> parseMergekit(std::string_view yaml, const std::string& name, const fs::path& folder) {
    WB_TRY_ASSIGN(const Value root, yaml::parse(yaml, name));
    if (!root.object())
        return fail(ErrorCode::Malformed, Reason("mergekit.member"), About{name},
                    WB_TEXT("{} is not a valid mergekit configuration: its field \"{}\" is missing or invalid."), name,
                    "merge_method");
    return RecipeReader(*root.object(), name, folder).read();
}

Result<MergekitRecipe> readMergekit(const fs::path& path) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    std::string text(std::min<std::uint64_t>(source->size(), yaml::maxText + 1), '\0'); // a longer one is refused when parsed
    WB_TRY(source->readAt(0, std::as_writable_bytes(std::span(text))));
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    return parseMergekit(text, source->name(), (error ? path : whole).parent_path());
}

Result<std::string> mergekitText(const MergekitRecipe& recipe) {
    const merge::MergeSettings& settings = recipe.choices.settings;
    const auto pattern = std::ranges::find_if(
        settings.rules, [](const MergeRule& rule) { return rule.pattern != "." && !isPlainFilter(rule.pattern); });
    if (pattern != settings.rules.end())
        return fail(ErrorCode::Unsupported, Reason("mergekit.pattern"), About{pattern->pattern},
                    WB_TEXT("mergekit cannot express the rule {}: its filters match parts of names, not regular expressions."),
                    settingText(*pattern));
    std::string text = fmt::format(
        "merge_method: {}\n", std::ranges::find(methodNames, settings.method, [](const auto& each) { return each.first; })->second);
    const bool isLinear = settings.method == MergeMethod::Linear, isLayers = settings.method == MergeMethod::Layers;
    if (!isLayers) text += fmt::format("base_model: {}\n", yaml::quoted(recipe.base));
    if (isLayers) {
        text += "slices:\n";
        for (const merge::LayerSlice& slice : settings.layers)
            text += fmt::format("  - sources:\n      - model: {}\n        layer_range: [{}, {}]\n",
                                yaml::quoted(slice.model == 0 ? recipe.base : recipe.choices.models[slice.model - 1]), slice.first,
                                slice.last + 1);
    } else {
        const bool hasWeights = settings.method != MergeMethod::Slerp;
        text +=
            "models:\n" + modelText(recipe.base, isLinear ? fmt::format("      weight: {}\n", settings.baseWeight) : std::string());
        for (std::size_t i = 0; i < recipe.choices.models.size(); ++i) {
            std::string own;
            if (hasWeights) own += fmt::format("      weight: {}\n", settings.weights[i]);
            if (merge::dropsDifferences(settings.method)) own += fmt::format("      density: {}\n", settings.density);
            text += modelText(recipe.choices.models[i], own);
        }
        std::string parameters;
        if (settings.method == MergeMethod::Slerp) parameters += parameterText(settings, MergeKey::T, settings.t);
        else parameters += fmt::format("  normalize: {}\n", settings.isNormalized());
        if (merge::dropsAtRandom(settings.method)) // by the L1 norm or not; by the density is near the former
            parameters += fmt::format("  rescale: {}\n", settings.rescale != merge::MergeRescale::None);
        if (settings.lambda != 1) parameters += fmt::format("  lambda: {}\n", settings.lambda);
        text += "parameters:\n" + parameters;
        const bool hasOther = std::ranges::any_of(settings.rules, [](const MergeRule& rule) { return rule.key != MergeKey::T; });
        if (hasOther)
            return fail(ErrorCode::Unsupported, Reason("mergekit.rules"), About{"rules"},
                        WB_TEXT("mergekit cannot express rules about weight or density for all models at once; remove them."));
    }
    if (recipe.type)
        text += fmt::format("dtype: {}\n",
                            std::ranges::find(typeNames, *recipe.type, [](const auto& each) { return each.first; })->second);
    if (!recipe.choices.tokenizer.empty()) text += fmt::format("tokenizer_source: {}\n", yaml::quoted(recipe.choices.tokenizer));
    return text;
}

} // namespace wb::convert
