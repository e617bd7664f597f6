// SPDX-License-Identifier: MIT
#include "core/text/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace wb::text {
namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

TokenId best(std::span<const float> logits) { return static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin()); }

void takeReal(const Model& model, const char* key, float& into) {
    const Value* const value = model.metadata.find(std::string("general.sampling.") + key);
    const auto number = value ? value->number() : std::nullopt;
    if (number && std::isfinite(*number)) into = static_cast<float>(*number);
}

void takeInteger(const Model& model, const char* key, int& into) {
    float number = static_cast<float>(into);
    takeReal(model, key, number);
    if (std::fabs(number) < 1e9F) into = static_cast<int>(number);
}

} // namespace

SamplingOptions modelSampling(const Model& model) {
    SamplingOptions options;
    takeReal(model, "temp", options.temperature);
    takeInteger(model, "top_k", options.topK);
    takeReal(model, "top_p", options.topP);
    takeReal(model, "min_p", options.minP);
    takeInteger(model, "penalty_last_n", options.repeatLast);
    takeReal(model, "penalty_repeat", options.repeatPenalty);
    return options;
}

Result<void> checkSampling(const SamplingOptions& o) {
    const auto refuse = [](const char* name) {
        return fail(ErrorCode::Invalid, Reason("sampling.range"), WB_TEXT("The value of {} is outside its range."), name);
    };
    const auto isShare = [](float value) { return value >= 0 && value <= 1; };
    if (!(o.temperature >= 0) || !std::isfinite(o.temperature)) return refuse("temperature");
    if (!isShare(o.topP)) return refuse("top-p");
    if (!isShare(o.minP)) return refuse("min-p");
    if (!isShare(o.typicalP)) return refuse("typical");
    if (!(o.repeatPenalty > 0) || !std::isfinite(o.repeatPenalty)) return refuse("repeat-penalty");
    if (!std::isfinite(o.frequencyPenalty)) return refuse("frequency-penalty");
    if (!std::isfinite(o.presencePenalty)) return refuse("presence-penalty");
    return {};
}

Sampler::Sampler(SamplingOptions options) : m_options(std::move(options)), m_random(m_options.seed) {}

TokenId Sampler::sample(std::span<float> logits, std::span<const TokenId> history) {
    bias(logits);
    penalize(logits, history);
    if (m_options.temperature <= 0 || m_options.topK == 1) return best(logits);
    choose(logits);
    keepTypical();
    keepTopP();
    keepMinP();
    return draw();
}

void Sampler::bias(std::span<float> logits) const {
    for (const auto& [id, value] : m_options.logitBias)
        if (id >= 0 && static_cast<std::size_t>(id) < logits.size()) logits[static_cast<std::size_t>(id)] += value;
    for (const TokenId id : m_options.suppressed)
        if (id >= 0 && static_cast<std::size_t>(id) < logits.size()) logits[static_cast<std::size_t>(id)] = never;
    for (float& logit : logits)
        if (std::isnan(logit)) logit = never;
}

void Sampler::penalize(std::span<float> logits, std::span<const TokenId> history) const {
    const bool off = m_options.repeatPenalty == 1 && m_options.frequencyPenalty == 0 && m_options.presencePenalty == 0;
    if (off || m_options.repeatLast == 0) return;
    if (m_options.repeatLast > 0) history = history.last(std::min(history.size(), static_cast<std::size_t>(m_options.repeatLast)));
    std::unordered_map<TokenId, int> counts;
    for (const TokenId id : history) ++counts[id];
    for (const auto& [id, count] : counts) {
        if (id < 0 || static_cast<std::size_t>(id) >= logits.size()) continue;
        float& logit = logits[static_cast<std::size_t>(id)];
        logit = logit <= 0 ? logit * m_options.repeatPenalty : logit / m_options.repeatPenalty;
        logit -= static_cast<float>(count) * m_options.frequencyPenalty + m_options.presencePenalty;
    }
}

// Of equal logits the lower id comes first, as in the greedy choice.
void Sampler::choose(std::span<const float> logits) {
    m_candidates.clear();
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (logits[i] != never) m_candidates.push_back({static_cast<TokenId>(i), logits[i]});
    if (m_candidates.empty()) m_candidates.push_back({best(logits), 0});
    keepTopK();
    normalize();
}

void Sampler::keepTopK() {
    const auto order = [](const Candidate& a, const Candidate& b) { return a.logit != b.logit ? a.logit > b.logit : a.id < b.id; };
    const std::size_t kept =
        m_options.topK > 0 ? std::min(m_candidates.size(), static_cast<std::size_t>(m_options.topK)) : m_candidates.size();
    std::partial_sort(m_candidates.begin(), m_candidates.begin() + static_cast<std::ptrdiff_t>(kept), m_candidates.end(), order);
    m_candidates.resize(kept);
}

void Sampler::normalize() {
    double sum = 0;
    const float highest = m_candidates.front().logit;
    for (Candidate& candidate : m_candidates) sum += candidate.probability = std::exp(candidate.logit - highest);
    for (Candidate& candidate : m_candidates) candidate.probability = static_cast<float>(candidate.probability / sum);
}

// The smallest set nearest to the entropy with the mass p.
void Sampler::keepTypical() {
    if (m_options.typicalP >= 1) return;
    double entropy = 0;
    for (const Candidate& c : m_candidates)
        if (c.probability > 0) entropy -= static_cast<double>(c.probability) * std::log(static_cast<double>(c.probability));
    const auto distance = [&](const Candidate& c) { return std::fabs(-std::log(static_cast<double>(c.probability)) - entropy); };
    std::ranges::stable_sort(m_candidates, {}, distance);
    double mass = 0;
    std::size_t kept = 0;
    while (kept < m_candidates.size() && (kept == 0 || mass < static_cast<double>(m_options.typicalP)))
        mass += static_cast<double>(m_candidates[kept++].probability);
    m_candidates.resize(kept);
    keepTopK();
    normalize();
}

// The shortest beginning with the mass p; one token always stays.
void Sampler::keepTopP() {
    if (m_options.topP >= 1) return;
    double mass = 0;
    std::size_t kept = 0;
    while (kept < m_candidates.size() && (kept == 0 || mass < static_cast<double>(m_options.topP)))
        mass += static_cast<double>(m_candidates[kept++].probability);
    m_candidates.resize(kept);
}

void Sampler::keepMinP() {
    if (m_options.minP <= 0) return;
    const float lowest = m_candidates.front().logit + std::log(m_options.minP);
    std::erase_if(m_candidates, [&](const Candidate& c) { return c.logit < lowest; });
}

TokenId Sampler::draw() {
    const float highest = m_candidates.front().logit;
    double sum = 0;
    for (Candidate& c : m_candidates) sum += c.probability = std::exp((c.logit - highest) / m_options.temperature);
    // 32 random bits as a number below 1: std::uniform_real_distribution differs between libraries.
    double at = static_cast<double>(m_random()) / 4294967296.0 * sum;
    for (const Candidate& c : m_candidates) {
        at -= static_cast<double>(c.probability);
        if (at < 0) return c.id;
    }
    return m_candidates.back().id;
}

} // namespace wb::text
