// SPDX-License-Identifier: MIT
#include "core/text/model_sampling.h"

#include "core/formats/json/json.h"
#include "core/io/byte_source.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace wb::text {
namespace {

constexpr std::string_view configName = "generation_config.json";
constexpr std::uint64_t maxConfigBytes = 1 << 20;

constexpr SamplingKey keys[] = {
    {"sequence", "", "sequence", SamplingKind::Text},
    {"top_k", "", "top_k", SamplingKind::Whole},
    {"top_p", "", "top_p", SamplingKind::Real},
    {"min_p", "", "min_p", SamplingKind::Real},
    {"xtc_probability", "", "xtc_probability", SamplingKind::Real},
    {"xtc_threshold", "", "xtc_threshold", SamplingKind::Real},
    {"temperature", "", "temp", SamplingKind::Real},
    {"penalty_last_n", "", "penalty_last_n", SamplingKind::Whole},
    {"penalty_repeat", "repetition_penalty", "penalty_repeat", SamplingKind::Real},
    {"mirostat", "", "mirostat", SamplingKind::Whole},
    {"mirostat_tau", "", "mirostat_tau", SamplingKind::Real},
    {"mirostat_eta", "", "mirostat_eta", SamplingKind::Real},
};

struct RealOption {
    std::string_view suffix;
    float SamplingOptions::* member;
};
struct WholeOption {
    std::string_view suffix;
    int SamplingOptions::* member;
};

constexpr RealOption realOptions[] = {
    {"top_p", &SamplingOptions::topP},
    {"min_p", &SamplingOptions::minP},
    {"xtc_probability", &SamplingOptions::xtcProbability},
    {"xtc_threshold", &SamplingOptions::xtcThreshold},
    {"temp", &SamplingOptions::temperature},
    {"penalty_repeat", &SamplingOptions::repeatPenalty},
    {"mirostat_tau", &SamplingOptions::mirostatTau},
    {"mirostat_eta", &SamplingOptions::mirostatEta},
};
constexpr WholeOption wholeOptions[] = {
    {"top_k", &SamplingOptions::topK},
    {"penalty_last_n", &SamplingOptions::repeatLast},
    {"mirostat", &SamplingOptions::mirostat},
};

void setOption(std::string_view suffix, double number, SamplingOptions& options) {
    for (const RealOption& option : realOptions)
        if (option.suffix == suffix) options.*option.member = static_cast<float>(number);
    for (const WholeOption& option : wholeOptions)
        if (option.suffix == suffix) options.*option.member = static_cast<int>(number);
}

// Gathers advised numbers.
class Advice {
public:
    // False: the number is absent. One outside its range is a problem and changes nothing.
    bool take(const SamplingKey& key, std::string_view name, const Value* value, const std::string& file) {
        const auto number = value && key.kind != SamplingKind::Text ? value->number() : std::nullopt;
        if (!number) return false;
        SamplingOptions options = sampling.options;
        const bool isFinite = std::isfinite(*number) && std::fabs(*number) < 1e9;
        if (isFinite) setOption(key.suffix, *number, options);
        if (isFinite && checkSampling(options)) {
            sampling.options = std::move(options);
            return true;
        }
        sampling.problem = makeProblem(Severity::Warning, Reason("sampling.advice"), file, {},
                                       WB_TEXT("The value of {} in {} is outside its range; the default is used."), name, file);
        return false;
    }

    ModelSampling sampling;
};

ModelSampling fromGguf(const Model& model) {
    Advice advice;
    for (const SamplingKey& key : keys) {
        const std::string name = "general.sampling." + std::string(key.suffix);
        if (advice.take(key, name, model.metadata.find(name), io::baseName(model.path)))
            advice.sampling.source = SamplingSource::Gguf;
    }
    return std::move(advice.sampling);
}

ModelSampling fromConfig(const ValueObject& config, const std::string& file) {
    Advice advice;
    for (const SamplingKey& key : keys) {
        const Value* const present = config.find(key.member);
        const std::string_view name = present || key.older.empty() ? key.member : key.older;
        if (advice.take(key, name, config.find(name), file)) advice.sampling.source = SamplingSource::GenerationConfig;
    }
    return std::move(advice.sampling);
}

// Empty: none exists.
std::optional<std::filesystem::path> configFile(const Model& model) {
    std::error_code error;
    const std::filesystem::path path(model.path);
    const std::filesystem::path folder = std::filesystem::is_directory(path, error) ? path : path.parent_path();
    const std::filesystem::path file = folder / configName;
    return std::filesystem::is_regular_file(file, error) ? std::optional(file) : std::nullopt;
}

Result<Value> readConfig(const std::filesystem::path& file) {
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(file));
    formats::Limits limits;
    limits.jsonText = maxConfigBytes;
    std::vector<Problem> problems;
    return json::readFile(*source, source->name(), limits, problems);
}

} // namespace

std::span<const SamplingKey> samplingKeys() { return keys; }

ModelSampling modelSampling(const Model& model) {
    ModelSampling sampling = fromGguf(model);
    const auto file = sampling.source == SamplingSource::Defaults ? configFile(model) : std::nullopt;
    if (!file) return sampling;
    const auto config = readConfig(*file);
    if (config && config->object()) return fromConfig(*config->object(), std::string(configName));
    sampling.problem = makeProblem(Severity::Warning, Reason("sampling.config"), std::string(configName), {},
                                   WB_TEXT("{} next to the model cannot be read; the default sampling is used."), configName);
    return sampling;
}

} // namespace wb::text
