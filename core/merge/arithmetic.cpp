// SPDX-License-Identifier: MIT
#include "core/merge/arithmetic.h"

#include <algorithm>
#include <array>
#include <bit>
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

    void average() {
        float sum = m_merge.baseWeight;
        for (std::size_t i = 0; i < m_count; ++i) result()[i] = m_merge.baseWeight * base()[i];
        for (std::size_t m = 0; m < m_merge.weights.size(); ++m) {
            const float weight = m_merge.weights[m];
            sum += weight;
            for (std::size_t i = 0; i < m_count; ++i) result()[i] += weight * other(m)[i];
        }
        if (!m_merge.isNormalized) return;
        for (std::size_t i = 0; i < m_count; ++i) result()[i] /= sum;
    }

    void interpolate(SlerpFactors factors) {
        for (std::size_t i = 0; i < m_count; ++i)
            result()[i] = static_cast<float>(factors.base * base()[i] + factors.other * other(0)[i]);
    }

    // The weighted difference of a model, dropped ones zero.
    void difference(std::size_t model, std::uint64_t& equalBefore, Block& out) const {
        const float weight = m_merge.weights[model];
        for (std::size_t i = 0; i < m_count; ++i) out[i] = other(model)[i] - base()[i];
        if (dropsAtRandom(m_merge.method)) dropAtRandom(model, out);
        else if (m_merge.method == MergeMethod::Ties && !m_kept[model].keepsAll) dropSmall(m_kept[model], equalBefore, out);
        for (std::size_t i = 0; i < m_count; ++i) out[i] *= weight;
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

    void dropSmall(const Kept& kept, std::uint64_t& equalBefore, Block& values) const {
        for (std::size_t i = 0; i < m_count; ++i) {
            const std::uint32_t bits = magnitudeBits(values[i]);
            bool stays = bits > kept.threshold;
            if (bits == kept.threshold) stays = equalBefore++ < kept.equal;
            if (!stays) values[i] = 0;
        }
    }

    void addDifferences(std::span<std::uint64_t> equalBefore) {
        float weights = 0;
        std::fill_n(result(), m_count, 0.0f);
        for (std::size_t m = 0; m < m_merge.weights.size(); ++m) {
            difference(m, equalBefore[m], m_values);
            weights += m_merge.weights[m];
            for (std::size_t i = 0; i < m_count; ++i) result()[i] += m_values[i];
        }
        if (m_merge.isNormalized) divide(std::abs(weights) < 1e-8f ? 1 : weights);
        addToBase();
    }

    void divide(float by) {
        for (std::size_t i = 0; i < m_count; ++i) result()[i] /= by;
    }

    void addToBase() {
        if (m_merge.lambda != 1)
            for (std::size_t i = 0; i < m_count; ++i) result()[i] *= m_merge.lambda;
        for (std::size_t i = 0; i < m_count; ++i) result()[i] = base()[i] + result()[i];
    }

    // The sign of the sum of all differences; zero counts as positive. Differences of the other sign, and zeros, do not count.
    void elect(std::span<std::uint64_t> equalBefore) {
        const std::size_t models = m_merge.weights.size();
        m_differences.resize(models);
        std::fill_n(m_sums.begin(), m_count, 0.0f);
        for (std::size_t m = 0; m < models; ++m) {
            difference(m, equalBefore[m], m_differences[m]);
            for (std::size_t i = 0; i < m_count; ++i) m_sums[i] += m_differences[m][i];
        }
        std::fill_n(result(), m_count, 0.0f);
        std::fill_n(m_values.begin(), m_count, 0.0f);
        for (std::size_t m = 0; m < models; ++m) {
            const float weight = m_merge.weights[m];
            const Block& values = m_differences[m];
            for (std::size_t i = 0; i < m_count; ++i) {
                const bool counts = m_sums[i] >= 0 ? values[i] > 0 : values[i] < 0;
                result()[i] += counts ? values[i] : 0.0f;
                m_values[i] += counts ? weight : 0.0f;
            }
        }
        if (m_merge.isNormalized)
            for (std::size_t i = 0; i < m_count; ++i) result()[i] /= m_values[i] == 0 ? 1.0f : m_values[i];
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

std::uint32_t magnitudeBits(float value) { return std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFu; }

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
