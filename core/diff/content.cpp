// SPDX-License-Identifier: MIT
#include "core/diff/content.h"

#include "core/diff/relation.h"
#include "core/jobs/thread_pool.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace wb::diff {
namespace {

constexpr std::uint64_t slabElements = 1 << 18; // a multiple of every block

struct ReadBuffers {
    std::vector<float> values;
    std::vector<std::byte> raw;
};

// Of the decoded elements. Two tensors with equal prints are compared element by element later, so that a chance costs no error.
Result<std::uint64_t> fingerprint(const TensorReader& reader, const Progress& progress, ReadBuffers& buffers) {
    std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a over words
    for (std::uint64_t at = 0; at < reader.elements(); at += buffers.values.size()) {
        WB_TRY(progress.at(at, reader.elements()));
        buffers.values.resize(std::min(slabElements, reader.elements() - at));
        WB_TRY(reader.readF32(at, buffers.values, buffers.raw));
        for (const float value : buffers.values) hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001b3;
    }
    return hash;
}

using Print = std::pair<std::uint64_t, std::uint64_t>; // elements, hash

Result<std::map<Print, std::vector<const TensorInfo*>>> sidePrints(const Unmatched& side, const std::set<std::uint64_t>& sizes,
                                                                   const Options& options) {
    std::vector<const TensorInfo*> read;
    for (const TensorInfo* tensor : side.tensors)
        if (tensor->isReadable() && sizes.contains(tensor->shape.elements())) read.push_back(tensor);
    std::vector<std::optional<std::uint64_t>> hashes(read.size());
    std::vector<ReadBuffers> buffers(jobs::loopWidth(read.size(), options.threads));
    const Progress quiet{options.progress.stop, {}};
    WB_TRY(
        jobs::parallelFor(read.size(), options.threads, options.progress.stop, [&](std::uint64_t i, unsigned slot) -> Result<void> {
            const auto reader = TensorReader::open(side.model, *read[i]);
            if (!reader) return {};
            const auto hash = fingerprint(*reader, quiet, buffers[slot]);
            if (hash) hashes[i] = *hash;
            else if (hash.error().code == ErrorCode::Canceled) return std::unexpected(hash.error());
            return {};
        }));
    std::map<Print, std::vector<const TensorInfo*>> prints;
    for (std::size_t i = 0; i < read.size(); ++i)
        if (hashes[i]) prints[{read[i]->shape.elements(), *hashes[i]}].push_back(read[i]);
    return prints;
}

std::set<std::uint64_t> sideSizes(const Unmatched& side) {
    std::set<std::uint64_t> sizes;
    for (const TensorInfo* tensor : side.tensors) sizes.insert(tensor->shape.elements());
    sizes.erase(0);
    return sizes;
}

using ByShape = std::map<std::vector<std::uint64_t>, std::vector<const TensorInfo*>>;

ByShape groupByShape(const Unmatched& side) {
    constexpr std::uint64_t fewest = 16; // elements for a meaningful correlation
    ByShape groups;
    for (const TensorInfo* tensor : side.tensors)
        if (tensor->isReadable() && tensor->shape.elements() >= fewest) groups[withoutOnes(tensor->shape)].push_back(tensor);
    return groups;
}

// The beginning of a tensor, less its mean; empty where it cannot be read or is constant.
std::vector<float> tensorSample(const Model& model, const TensorInfo& tensor) {
    constexpr std::uint64_t sampled = 1 << 16;
    ReadBuffers buffers;
    buffers.values.resize(std::min(sampled, tensor.shape.elements()));
    const auto reader = TensorReader::open(model, tensor);
    if (!reader || !reader->readF32(0, buffers.values, buffers.raw)) return {};
    double sum = 0;
    for (const float value : buffers.values) sum += value;
    const double mean = sum / static_cast<double>(buffers.values.size());
    for (float& value : buffers.values) value = static_cast<float>(value - mean);
    return std::move(buffers.values);
}

double correlation(const std::vector<float>& one, const std::vector<float>& other) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
        ab += double{one[i]} * other[i];
        aa += double{one[i]} * one[i];
        bb += double{other[i]} * other[i];
    }
    const double result = ab / std::sqrt(aa * bb);
    return std::isfinite(result) ? result : 0;
}

struct Likeness {
    double value;
    std::size_t a, b;
};

// The pairs of one shape, the most alike first.
Result<void> matchGroup(const Unmatched& a, const std::vector<const TensorInfo*>& tensorsA, const Unmatched& b,
                        const std::vector<const TensorInfo*>& tensorsB, const Options& options, Matches& matches) {
    constexpr double fewest = 0.5;
    std::vector<std::vector<float>> samplesA, samplesB;
    for (const TensorInfo* tensor : tensorsA) samplesA.push_back(tensorSample(a.model, *tensor));
    for (const TensorInfo* tensor : tensorsB) samplesB.push_back(tensorSample(b.model, *tensor));
    std::vector<Likeness> found;
    for (std::size_t i = 0; i < samplesA.size(); ++i) {
        WB_TRY(options.progress.at(0, 0));
        for (std::size_t k = 0; k < samplesB.size(); ++k)
            if (const double value = correlation(samplesA[i], samplesB[k]); value >= fewest) found.push_back({value, i, k});
    }
    std::ranges::stable_sort(found, std::greater(), &Likeness::value);
    std::set<std::size_t> usedA, usedB;
    for (const Likeness& pair : found)
        if (!usedA.contains(pair.a) && !usedB.contains(pair.b)) {
            usedA.insert(pair.a);
            usedB.insert(pair.b);
            matches.emplace_back(tensorsA[pair.a], tensorsB[pair.b]);
        }
    return {};
}

} // namespace

Result<Matches> matchByContent(const Unmatched& a, const Unmatched& b, const Options& options) {
    std::set<std::uint64_t> common;
    std::ranges::set_intersection(sideSizes(a), sideSizes(b), std::inserter(common, common.end()));
    Matches matches;
    if (common.empty()) return matches;
    WB_TRY_ASSIGN(const auto printsA, sidePrints(a, common, options));
    WB_TRY_ASSIGN(const auto printsB, sidePrints(b, common, options));
    for (const auto& [print, tensorsA] : printsA) {
        const auto found = printsB.find(print);
        if (found == printsB.end()) continue;
        for (std::size_t i = 0; i < std::min(tensorsA.size(), found->second.size()); ++i)
            matches.emplace_back(tensorsA[i], found->second[i]);
    }
    return matches;
}

Result<Matches> matchByCorrelation(const Unmatched& a, const Unmatched& b, const Options& options) {
    constexpr std::size_t mostOfOneShape = 256;
    Matches matches;
    const ByShape groupsB = groupByShape(b);
    for (const auto& [shape, tensorsA] : groupByShape(a)) {
        const auto found = groupsB.find(shape);
        if (found == groupsB.end() || tensorsA.size() > mostOfOneShape || found->second.size() > mostOfOneShape) continue;
        WB_TRY(matchGroup(a, tensorsA, b, found->second, options, matches));
    }
    return matches;
}

} // namespace wb::diff
