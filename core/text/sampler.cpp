// SPDX-License-Identifier: MIT
#include "core/text/sampler.h"

#include "core/text/grammar/matcher.h"
#include "core/text/tokenizer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace wb::text {
namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

TokenId best(std::span<const float> logits) { return static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin()); }

// The past of adaptive-p before the first token, as long as it can become.
double historyWeight(const SamplingOptions& options) {
    return 1 / (1 - std::min(static_cast<double>(options.adaptiveDecay), 0.99));
}

} // namespace

Result<void> checkSampling(const SamplingOptions& o) {
    const auto refuse = [](const char* name, const char* range) {
        return fail(ErrorCode::Invalid, Reason("sampling.range"), WB_TEXT("The value of {} is out of range ({})."), name, range);
    };
    const auto isShare = [](float value) { return value >= 0 && value <= 1; };
    if (!(o.temperature >= 0) || !std::isfinite(o.temperature)) return refuse("temperature", "≥ 0");
    if (!isShare(o.topP)) return refuse("top-p", "0 … 1");
    if (!isShare(o.minP)) return refuse("min-p", "0 … 1");
    if (!isShare(o.typicalP)) return refuse("typical", "0 … 1");
    if (!(o.repeatPenalty > 0) || !std::isfinite(o.repeatPenalty)) return refuse("repeat-penalty", "> 0");
    if (!std::isfinite(o.frequencyPenalty)) return refuse("frequency-penalty", "-∞ < x < ∞");
    if (!std::isfinite(o.presencePenalty)) return refuse("presence-penalty", "-∞ < x < ∞");
    if (!(o.dryMultiplier >= 0) || !std::isfinite(o.dryMultiplier)) return refuse("dry-multiplier", "≥ 0");
    if (!(o.dryBase >= 1) || !std::isfinite(o.dryBase)) return refuse("dry-base", "≥ 1");
    if (o.dryAllowed < 0) return refuse("dry-allowed", "≥ 0");
    if (!std::isfinite(o.topNSigma)) return refuse("top-n-sigma", "-∞ < x < ∞");
    if (!isShare(o.xtcProbability)) return refuse("xtc-probability", "0 … 1");
    if (!isShare(o.xtcThreshold)) return refuse("xtc-threshold", "0 … 1");
    if (!(o.temperatureRange >= 0) || !std::isfinite(o.temperatureRange)) return refuse("dynamic temperature", "≥ 0");
    if (!(o.temperatureExponent > 0) || !std::isfinite(o.temperatureExponent)) return refuse("dynamic temperature", "≥ 0");
    if (!(o.adaptiveTarget <= 1)) return refuse("adaptive-target", "≤ 1");
    if (!isShare(o.adaptiveDecay)) return refuse("adaptive-decay", "0 … 1");
    if (o.mirostat < 0 || o.mirostat > 2) return refuse("mirostat", "0 … 2");
    if (!(o.mirostatTau > 0) || !std::isfinite(o.mirostatTau)) return refuse("mirostat-tau", "> 0");
    if (!(o.mirostatEta >= 0) || !std::isfinite(o.mirostatEta)) return refuse("mirostat-eta", "≥ 0");
    return {};
}

std::vector<TokenId> dryBreakers(const Tokenizer& tokenizer) {
    std::vector<TokenId> breakers;
    const auto count = static_cast<TokenId>(tokenizer.vocabulary().tokens.size());
    for (TokenId id = 0; id < count; ++id)
        if (tokenizer.piece(id).find_first_of("\n:\"*") != std::string::npos) breakers.push_back(id);
    return breakers;
}

Sampler::Sampler(SamplingOptions options)
    : m_options(std::move(options)), m_random(m_options.seed),
      m_grammar(m_options.grammar ? std::make_unique<GrammarMatcher>(m_options.grammar) : nullptr),
      m_surprise(2 * m_options.mirostatTau), m_pastSum(historyWeight(m_options) * static_cast<double>(m_options.adaptiveTarget)),
      m_pastWeight(historyWeight(m_options)) {
    std::ranges::sort(m_options.dryBreakers);
}

Sampler::~Sampler() = default;

// The grammar looks at the token that is drawn without it first: only where that does not fit, all tokens are inspected.
TokenId Sampler::sample(std::span<float> logits, std::span<const TokenId> history) {
    bias(logits);
    penalize(logits, history);
    penalizeRepeats(logits, history);
    if (!m_grammar) return pick(logits);
    const float surprise = m_surprise;
    const double pastSum = m_pastSum, pastWeight = m_pastWeight;
    TokenId token = pick(logits);
    if (!m_grammar->allows(token)) {
        m_surprise = surprise;
        m_pastSum = pastSum;
        m_pastWeight = pastWeight;
        if (!m_grammar->mask(logits)) return m_grammar->endToken();
        token = pick(logits);
    }
    m_grammar->accept(token);
    return token;
}

std::size_t Sampler::neededLogits() const {
    const bool changesLogits = m_grammar || !m_options.logitBias.empty() || penalizes() || penalizesRepeats();
    const bool looksAtAll = !isGreedy() && (m_options.topK <= 0 || m_options.mirostat > 0 || m_options.topNSigma > 0);
    if (changesLogits || looksAtAll) return 0;
    return (isGreedy() ? 1 : static_cast<std::size_t>(m_options.topK)) + m_options.suppressed.size();
}

std::optional<Draw> Sampler::nextDraw() const {
    const bool isPlain =
        m_options.typicalP >= 1 && m_options.xtcProbability <= 0 && m_options.temperatureRange <= 0 && m_options.adaptiveTarget < 0;
    if (neededLogits() == 0) return std::nullopt;
    if (isGreedy()) return Draw{};
    if (!isPlain) return std::nullopt;
    std::mt19937 random = m_random;
    const float unit = static_cast<float>(random() >> 8) / 16777216.0F; // unit() in the bits of an f32
    return Draw{static_cast<std::size_t>(m_options.topK), m_options.temperature, m_options.topP, m_options.minP, unit};
}

TokenId Sampler::sample(std::span<const TokenLogit> highest) {
    m_candidates.clear();
    for (const auto& [token, logit] : highest)
        if (token != noToken && std::ranges::find(m_options.suppressed, token) == m_options.suppressed.end())
            m_candidates.push_back({token, logit});
    if (m_candidates.empty()) m_candidates.push_back({0, 0});
    if (isGreedy()) return m_candidates.front().id;
    keepTopK();
    normalize();
    return drawCandidate();
}

TokenId Sampler::pick(std::span<const float> logits) {
    if (isGreedy()) return best(logits);
    choose(logits);
    return drawCandidate();
}

TokenId Sampler::drawCandidate() {
    if (m_options.mirostat > 0) {
        applyTemperature();
        applyMirostat();
    } else {
        keepTypical();
        keepTopP();
        keepMinP();
        applyXtc();
    }
    return m_options.mirostat == 0 && m_options.adaptiveTarget >= 0 ? drawNearTarget() : draw();
}

void Sampler::bias(std::span<float> logits) const {
    for (const auto& [id, value] : m_options.logitBias)
        if (id >= 0 && static_cast<std::size_t>(id) < logits.size()) logits[static_cast<std::size_t>(id)] += value;
    for (const TokenId id : m_options.suppressed)
        if (id >= 0 && static_cast<std::size_t>(id) < logits.size()) logits[static_cast<std::size_t>(id)] = never;
    for (float& logit : logits)
        if (std::isnan(logit)) logit = never;
}

bool Sampler::penalizes() const {
    const bool changes = m_options.repeatPenalty != 1 || m_options.frequencyPenalty != 0 || m_options.presencePenalty != 0;
    return changes && m_options.repeatLast != 0;
}

void Sampler::penalize(std::span<float> logits, std::span<const TokenId> history) const {
    if (!penalizes()) return;
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

// The length of the stretch that ends the history and occurred before at every earlier place, by the Z-function of the history
// read backwards: linear, however often a token repeats.
void Sampler::penalizeRepeats(std::span<float> logits, std::span<const TokenId> history) const {
    if (!penalizesRepeats()) return;
    if (m_options.dryLast > 0) history = history.last(std::min(history.size(), static_cast<std::size_t>(m_options.dryLast)));
    const auto isBreaker = [this](TokenId id) { return std::ranges::binary_search(m_options.dryBreakers, id); };
    const std::vector<TokenId> back(history.rbegin(), history.rend());
    const auto limit = static_cast<std::size_t>(std::ranges::find_if(back, isBreaker) - back.begin());
    const auto allowed = static_cast<std::size_t>(m_options.dryAllowed);
    if (limit < std::max<std::size_t>(allowed, 1)) return;
    std::vector<std::size_t> z(back.size());
    std::unordered_map<TokenId, std::size_t> longest; // of the stretch that this token would continue with
    for (std::size_t i = 1, left = 0, right = 0; i < back.size(); ++i) {
        if (i < right) z[i] = std::min(right - i, z[i - left]);
        while (i + z[i] < back.size() && back[z[i]] == back[i + z[i]]) ++z[i];
        if (i + z[i] > right) left = i, right = i + z[i];
        std::size_t& length = longest[back[i - 1]];
        length = std::max(length, std::min(z[i], limit));
    }
    for (const auto& [id, length] : longest) {
        if (length < std::max<std::size_t>(allowed, 1) || id < 0 || static_cast<std::size_t>(id) >= logits.size()) continue;
        const double penalty = static_cast<double>(m_options.dryMultiplier) *
                               std::pow(static_cast<double>(m_options.dryBase), static_cast<double>(length - allowed));
        logits[static_cast<std::size_t>(id)] -= static_cast<float>(std::min(penalty, 1e30));
    }
}

void Sampler::keepTopNSigma() {
    if (m_options.topNSigma <= 0) return;
    double sum = 0, squares = 0;
    float highest = never;
    for (const Candidate& c : m_candidates) {
        sum += static_cast<double>(c.logit);
        highest = std::max(highest, c.logit);
    }
    const double mean = sum / static_cast<double>(m_candidates.size());
    for (const Candidate& c : m_candidates)
        squares += (static_cast<double>(c.logit) - mean) * (static_cast<double>(c.logit) - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(m_candidates.size()));
    const double lowest = static_cast<double>(highest) - static_cast<double>(m_options.topNSigma) * deviation;
    std::erase_if(m_candidates, [&](const Candidate& c) { return static_cast<double>(c.logit) < lowest; });
}

// Of equal logits the lower id comes first, as in the greedy choice.
void Sampler::choose(std::span<const float> logits) {
    m_candidates.clear();
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (logits[i] != never) m_candidates.push_back({static_cast<TokenId>(i), logits[i]});
    if (m_candidates.empty()) m_candidates.push_back({best(logits), 0});
    if (m_options.mirostat == 0) keepTopNSigma();
    keepTopK();
    normalize();
}

void Sampler::keepTopK() {
    const auto order = [](const Candidate& a, const Candidate& b) { return a.logit != b.logit ? a.logit > b.logit : a.id < b.id; };
    const std::size_t kept = m_options.topK > 0 && m_options.mirostat == 0
                                 ? std::min(m_candidates.size(), static_cast<std::size_t>(m_options.topK))
                                 : m_candidates.size();
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

// XTC.
void Sampler::applyXtc() {
    if (m_options.xtcProbability <= 0 || m_options.xtcThreshold > 0.5F || m_candidates.size() < 2) return;
    if (unit() >= static_cast<double>(m_options.xtcProbability)) return;
    normalize();
    const auto isAbove = [this](const Candidate& c) { return c.probability >= m_options.xtcThreshold; };
    const auto above = std::ranges::count_if(m_candidates, isAbove); // they are the first, since the best come first
    if (above > 1) m_candidates.erase(m_candidates.begin(), m_candidates.begin() + (above - 1));
}

// With a range, the temperature follows the entropy of the candidates.
float Sampler::temperature() const {
    if (m_options.temperatureRange <= 0 || m_candidates.size() < 2) return m_options.temperature;
    double sum = 0, entropy = 0;
    const float highest = m_candidates.front().logit;
    for (const Candidate& c : m_candidates) sum += std::exp(static_cast<double>(c.logit - highest));
    for (const Candidate& c : m_candidates) {
        const double p = std::exp(static_cast<double>(c.logit - highest)) / sum;
        if (p > 0) entropy -= p * std::log(p);
    }
    const double spread =
        std::pow(entropy / std::log(static_cast<double>(m_candidates.size())), static_cast<double>(m_options.temperatureExponent));
    const double low = std::max(0.0, static_cast<double>(m_options.temperature - m_options.temperatureRange));
    const double high = static_cast<double>(m_options.temperature + m_options.temperatureRange);
    return static_cast<float>(std::max(low + (high - low) * spread, 1e-6));
}

// The temperature before Mirostat's choice, which is made on probabilities.
void Sampler::applyTemperature() {
    for (Candidate& c : m_candidates) c.logit /= m_options.temperature;
    normalize();
}

// Mirostat (Basu et al. 2021, arXiv:2007.14966), with the constants of ggml-org/llama.cpp: 1 keeps the first k tokens, k from the
// slope of the best hundred; 2 keeps those whose surprise lies below mu. Then mu follows the surprise of the drawn token.
void Sampler::applyMirostat() {
    std::size_t kept = 0;
    if (m_options.mirostat == 1) {
        double products = 0, squares = 0;
        const std::size_t looked = std::min<std::size_t>(m_candidates.size() - 1, 99);
        for (std::size_t i = 0; i < looked; ++i) {
            if (!(m_candidates[i + 1].probability > 0)) break;
            const double t = std::log(static_cast<double>(i + 2) / static_cast<double>(i + 1));
            const double b = std::log(static_cast<double>(m_candidates[i].probability / m_candidates[i + 1].probability));
            products += t * b;
            squares += t * t;
        }
        const double slope = squares > 0 ? products / squares : 1;
        const double epsilon = slope - 1;
        const double k = std::pow(epsilon * std::pow(2.0, static_cast<double>(m_surprise)) /
                                      (1 - std::pow(static_cast<double>(m_candidates.size()), -epsilon)),
                                  1 / slope);
        kept = std::isfinite(k) && k < static_cast<double>(m_candidates.size()) ? static_cast<std::size_t>(std::max(k, 1.0))
                                                                                : m_candidates.size();
    } else {
        while (kept < m_candidates.size() && -std::log2(m_candidates[kept].probability) <= m_surprise) ++kept;
    }
    m_candidates.resize(std::clamp<std::size_t>(kept, 1, m_candidates.size()));
    normalize();
}

// 32 random bits as a number below 1: std::uniform_real_distribution differs between libraries.
double Sampler::unit() { return static_cast<double>(m_random()) / 4294967296.0; }

// Adaptive-p as ggml-org/llama.cpp has it (llama_sampler_adaptive_p), with its constants: a logit falls with the distance of the
// probability from the target, squared near it and straight far away; the target leans away from the recently drawn tokens.
TokenId Sampler::drawNearTarget() {
    constexpr double peak = 5, sharpness = 10, width = 0.3;
    const float heat = temperature();
    for (Candidate& c : m_candidates) c.logit /= heat;
    normalize();
    const auto goal = static_cast<double>(std::min(m_options.adaptiveTarget, 1.0F));
    const double target = std::clamp(2 * goal - m_pastSum / m_pastWeight, 0.0, 1.0);
    const auto weightOf = [&](const Candidate& c) {
        const double distance = std::fabs(static_cast<double>(c.probability) - target) / width;
        return std::exp(peak - sharpness * distance * distance / (1 + distance));
    };
    double sum = 0;
    for (const Candidate& c : m_candidates) sum += weightOf(c);
    double at = unit() * sum;
    const auto drawn = std::ranges::find_if(m_candidates, [&](const Candidate& c) { return (at -= weightOf(c)) < 0; });
    const Candidate& taken = drawn == m_candidates.end() ? m_candidates.back() : *drawn;
    const double decay = std::min(static_cast<double>(m_options.adaptiveDecay), 0.99);
    m_pastSum = static_cast<double>(taken.probability) + decay * m_pastSum;
    m_pastWeight = 1 + decay * m_pastWeight;
    return taken.id;
}

TokenId Sampler::draw() {
    const float highest = m_candidates.front().logit;
    const float heat = m_options.mirostat > 0 ? 1 : temperature(); // Mirostat has applied it before
    double sum = 0;
    for (Candidate& c : m_candidates) sum += c.probability = std::exp((c.logit - highest) / heat);
    double at = unit() * sum;
    const Candidate* drawn = &m_candidates.back();
    for (const Candidate& c : m_candidates) {
        at -= static_cast<double>(c.probability);
        if (at >= 0) continue;
        drawn = &c;
        break;
    }
    if (m_options.mirostat > 0) {
        const double surprise = -std::log2(static_cast<double>(drawn->probability) / sum);
        m_surprise -= m_options.mirostatEta * (static_cast<float>(surprise) - m_options.mirostatTau);
    }
    return drawn->id;
}

} // namespace wb::text
