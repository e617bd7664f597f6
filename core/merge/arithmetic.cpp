// SPDX-License-Identifier: MIT
#include "core/merge/arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace wb::merge {
namespace {

constexpr std::uint64_t goldenStep = 0x9E3779B97F4A7C15u; // the increment of SplitMix64
constexpr std::size_t blockElements = 4096;               // all intermediate values of a block stay in the cache

std::uint64_t mix(std::uint64_t value) {
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

// FNV-1a.
std::uint64_t hashFromText(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return hash;
}

// The values below this of 2^64 equally probable ones have the probability.
std::uint64_t limitFromProbability(double probability) {
    const double limit = std::ldexp(probability, 64);
    return limit >= 0x1p64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(limit);
}

using Block = std::array<float, blockElements>;

// One block of a piece.
class BlockMerge {
public:
    BlockMerge(const TensorMerge& merge, const MergePiece& piece, std::span<const Kept> kept, std::span<float> result)
        : m_merge(merge), m_piece(piece), m_kept(kept), m_result(result) {}

    void run(std::size_t begin, std::span<std::uint64_t> equalBefore, SlerpFactors slerp) {
        m_begin = begin;
        m_count = std::min(blockElements, m_result.size() - begin);
        switch (m_merge.method) {
        case MergeMethod::Linear: return average();
        case MergeMethod::Slerp: return interpolate(slerp);
        default: break;
        }
        if (electsSigns(m_merge.method)) elect(equalBefore);
        else addDifferences(equalBefore);
    }

private:
    const float* base() const { return &m_piece.base[m_begin]; }
    const float* other(std::size_t model) const { return &m_piece.others[model][m_begin]; }
    float* result() const { return &m_result[m_begin]; }

    std::span<float> results() const { return {result(), m_count}; }
    std::span<const float> firsts(const Block& block) const { return std::span<const float>(block).first(m_count); }

    void average() {
        float sum = m_merge.baseWeight;
        std::copy_n(base(), m_count, result());
        multiply(results(), m_merge.baseWeight);
        for (std::size_t m = 0; m < m_merge.weights.size(); ++m) {
            sum += m_merge.weights[m];
            addScaled({other(m), m_count}, m_merge.weights[m], result());
        }
        if (m_merge.isNormalized) divide(results(), sum);
    }

    void interpolate(SlerpFactors factors) {
        for (std::size_t i = 0; i < m_count; ++i)
            result()[i] = static_cast<float>(factors.base * base()[i] + factors.other * other(0)[i]);
    }

    // The weighted difference of a model, dropped ones zero.
    void difference(std::size_t model, std::uint64_t& equalBefore, Block& out) const {
        const std::span<float> values = std::span(out).first(m_count);
        subtract({other(model), m_count}, base(), out.data());
        if (dropsAtRandom(m_merge.method)) dropAtRandom(model, out);
        else if (m_merge.method == MergeMethod::Ties && !m_kept[model].keepsAll) dropSmall(values, m_kept[model], equalBefore);
        if (m_merge.weights[model] != 1) multiply(values, m_merge.weights[model]);
    }

    void dropAtRandom(std::size_t model, Block& values) const {
        const double density = m_merge.densities[model];
        if (density >= 1) return;
        const std::uint64_t key = m_merge.maskKeys[model], first = m_piece.first + m_begin, limit = limitFromProbability(density);
        const float factor = m_kept[model].factor;
        const bool divides = m_merge.rescale == MergeRescale::Density;
        const auto divisor = static_cast<float>(density);
        for (std::size_t i = 0; i < m_count; ++i) {
            const bool isKept = mix(key + (first + i + 1) * goldenStep) < limit;
            const float value = divides ? values[i] / divisor : values[i] * factor;
            values[i] = isKept ? value : 0.0f;
        }
    }

    void addDifferences(std::span<std::uint64_t> equalBefore) {
        float weights = 0;
        std::fill_n(result(), m_count, 0.0f);
        for (std::size_t m = 0; m < m_merge.weights.size(); ++m) {
            difference(m, equalBefore[m], m_values);
            weights += m_merge.weights[m];
            addScaled(firsts(m_values), 1, result());
        }
        if (m_merge.isNormalized) divide(results(), std::abs(weights) < 1e-8f ? 1 : weights);
        addToBase();
    }

    void addToBase() {
        if (m_merge.lambda != 1) multiply(results(), m_merge.lambda);
        addScaled({base(), m_count}, 1, result());
    }

    // The sign of the sum of all differences; zero counts as positive. Differences of the other sign, and zeros, do not count.
    void elect(std::span<std::uint64_t> equalBefore) {
        const std::size_t models = m_merge.weights.size();
        m_differences.resize(models);
        std::fill_n(m_sums.begin(), m_count, 0.0f);
        for (std::size_t m = 0; m < models; ++m) {
            difference(m, equalBefore[m], m_differences[m]);
            addScaled(firsts(m_differences[m]), 1, m_sums.data());
        }
        std::fill_n(result(), m_count, 0.0f);
        std::fill_n(m_values.begin(), m_count, 0.0f);
        for (std::size_t m = 0; m < models; ++m)
            addElected(firsts(m_differences[m]), m_sums.data(), m_merge.weights[m], result(), m_values.data());
        if (m_merge.isNormalized) divide(results(), m_values.data());
        addToBase();
    }

    const TensorMerge& m_merge;
    const MergePiece& m_piece;
    std::span<const Kept> m_kept;
    std::span<float> m_result;
    std::size_t m_begin = 0, m_count = 0;
    Block m_values, m_sums;
    std::vector<Block> m_differences;
};

} // namespace

std::uint64_t maskKey(std::uint64_t seed, std::uint64_t model, std::string_view tensor) {
    return mix(mix(mix(seed + goldenStep) + model + goldenStep) ^ hashFromText(tensor));
}

bool maskKeeps(std::uint64_t key, std::uint64_t element, double density) {
    return density >= 1 || mix(key + (element + 1) * goldenStep) < limitFromProbability(density);
}

// Near-parallel vectors are averaged, since the angle between them is lost in rounding; so are those without a direction.
SlerpFactors slerpFactors(double t, double base2, double other2, double product) {
    constexpr double parallel = 0.9995, shortest = 1e-8;
    const double base = std::sqrt(base2), other = std::sqrt(other2);
    const double cosine = product / ((base > shortest ? base : 1) * (other > shortest ? other : 1));
    if (std::abs(cosine) > parallel) return {1 - t, t};
    const double angle = std::acos(cosine), sine = std::sin(angle);
    return {std::sin((1 - t) * angle) / sine, std::sin(t * angle) / sine};
}

void mergePiece(const TensorMerge& merge, const MergePiece& piece, std::span<const Kept> kept,
                std::span<const std::uint64_t> equalBefore, SlerpFactors slerp, std::span<float> result) {
    std::vector<std::uint64_t> equal(equalBefore.begin(), equalBefore.end());
    equal.resize(merge.weights.size());
    const auto block = std::make_unique<BlockMerge>(merge, piece, kept, result); // too large for a small stack
    for (std::size_t begin = 0; begin < result.size(); begin += blockElements) block->run(begin, equal, slerp);
}

} // namespace wb::merge
