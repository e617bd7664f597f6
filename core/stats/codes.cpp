// SPDX-License-Identifier: MIT
#include "core/stats/codes.h"

#include "core/stats/rules.h"
#include "core/stats/slabs.h"
#include "core/tensor/block_parts.h"

#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

constexpr std::uint32_t magnitudeBins = 65'536; // that the median scale is found by

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void take(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    void take(const Range& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
    bool isEmpty() const { return low > high; }
};

// What one thread has seen; everything adds up in any order.
struct Seen {
    std::vector<std::uint64_t> counts;
    std::uint64_t saturated = 0, groups = 0, zeroScales = 0, badScales = 0;
    Range scales, minimums;
    std::vector<std::uint64_t> scaleBins, minimumBins, magnitudeBins;

    void add(const Seen& other) {
        const auto sum = [](auto& to, const auto& from) {
            to.resize(std::max(to.size(), from.size()));
            for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
        };
        sum(counts, other.counts);
        sum(scaleBins, other.scaleBins);
        sum(minimumBins, other.minimumBins);
        sum(magnitudeBins, other.magnitudeBins);
        saturated += other.saturated;
        groups += other.groups;
        zeroScales += other.zeroScales;
        badScales += other.badScales;
        scales.take(other.scales);
        minimums.take(other.minimums);
    }
};

class Reader {
public:
    explicit Reader(const TensorReader& reader)
        : m_reader(reader), m_type(info(reader.dtype())), m_facts(*blockFacts(reader.dtype())),
          m_levels(dtypeLevels(reader.dtype())) {}

    const BlockFacts& facts() const { return m_facts; }
    const DtypeInfo& type() const { return m_type; }
    std::size_t groupsOfBlock() const { return m_type.blockElements / m_facts.groupElements; }

    // Calls visit(parts) for every block of a slab.
    template <class Visit>
    Result<void> forEachBlock(const Slab& slab, std::vector<std::byte>& bytes, Visit visit) const {
        bytes.resize(m_reader.byteCount(slab.count));
        WB_TRY(m_reader.readRaw(slab.first, slab.count, bytes));
        BlockParts parts;
        for (std::size_t at = 0; at < bytes.size(); at += m_type.blockBytes) {
            splitBlock(m_type.dtype, bytes.data() + at, parts);
            visit(parts);
        }
        return {};
    }

    void count(const BlockParts& parts, Seen& seen) const {
        for (std::size_t i = 0; i < std::size_t{m_type.blockElements} / m_facts.codeElements; ++i) ++seen.counts[parts.codes[i]];
        for (std::size_t e = 0; e < m_type.blockElements; ++e)
            seen.saturated += parts.levels[e] == m_levels.front() || parts.levels[e] == m_levels.back();
        for (std::size_t g = 0; g < groupsOfBlock(); ++g) {
            ++seen.groups;
            seen.zeroScales += parts.scales[g] == 0;
            if (std::isfinite(parts.scales[g])) seen.scales.take(double{parts.scales[g]});
            else ++seen.badScales;
            if (m_facts.hasMinimum && std::isfinite(parts.offsets[g])) seen.minimums.take(double{parts.offsets[g]});
        }
    }

private:
    const TensorReader& m_reader;
    const DtypeInfo& m_type;
    BlockFacts m_facts;
    std::vector<float> m_levels;
};

struct Worker {
    Seen seen;
    std::vector<std::byte> bytes;
};

Seen total(const std::vector<Worker>& workers) {
    Seen all;
    for (const Worker& worker : workers) all.add(worker.seen);
    return all;
}

double countsEntropy(const std::vector<std::uint64_t>& counts) {
    double sum = 0, entropy = 0;
    for (const std::uint64_t count : counts) sum += static_cast<double>(count);
    for (const std::uint64_t count : counts)
        if (count > 0) entropy -= static_cast<double>(count) / sum * std::log2(static_cast<double>(count) / sum);
    return entropy;
}

// The middle of the bin that contains the median.
std::optional<double> binsMedian(const std::vector<std::uint64_t>& bins, double high) {
    std::uint64_t all = 0;
    for (const std::uint64_t count : bins) all += count;
    if (all == 0) return std::nullopt;
    std::uint64_t below = 0;
    std::size_t bin = 0;
    while ((below += bins[bin]) * 2 < all) ++bin;
    return (static_cast<double>(bin) + 0.5) / static_cast<double>(bins.size()) * high;
}

Histogram rangeHistogram(const Range& range, std::vector<std::uint64_t> bins) {
    if (range.isEmpty()) return {};
    return {range.low, range.high, std::move(bins)};
}

CodeStats describe(const Reader& reader, std::uint64_t elements, Seen first, Seen second, double largest) {
    CodeStats stats;
    stats.entropy = countsEntropy(first.counts);
    stats.efficiency = stats.entropy / std::log2(static_cast<double>(reader.facts().codes));
    stats.saturation = elements == 0 ? 0 : static_cast<double>(first.saturated) / static_cast<double>(elements);
    for (const std::uint64_t count : first.counts) stats.unused += count == 0;
    stats.counts = std::move(first.counts);
    stats.bitsPerWeight = 8.0 * reader.type().blockBytes / reader.type().blockElements;
    stats.groups = first.groups;
    stats.zeroScales = first.zeroScales;
    stats.badScales = first.badScales;
    stats.scales = rangeHistogram(first.scales, std::move(second.scaleBins));
    if (reader.facts().hasMinimum) stats.minimums = rangeHistogram(first.minimums, std::move(second.minimumBins));
    stats.medianScale = binsMedian(second.magnitudeBins, largest);
    return stats;
}

} // namespace

Result<CodeStats> computeCodes(const TensorReader& tensor, std::uint32_t bins, unsigned threads, const Progress& progress) {
    Options options;
    options.bins = bins;
    options.threads = threads;
    WB_TRY(check(tensor, options));
    if (!blockFacts(tensor.dtype()))
        return fail(ErrorCode::Unsupported, Reason("stats.no_blocks"),
                    WB_TEXT("{} is not stored in blocks, so it has no codes or scales."), name(tensor.dtype()));
    const Reader reader(tensor);
    SlabTask task(tensor, options, progress, 2);
    std::vector<Worker> workers(task.workers(task.slabs()));
    for (Worker& worker : workers) worker.seen.counts.resize(reader.facts().codes);
    WB_TRY(forEachSlab(task, workers, [&](Worker& worker, const Slab& slab) {
        return reader.forEachBlock(slab, worker.bytes, [&](const BlockParts& parts) { reader.count(parts, worker.seen); });
    }));
    Seen first = total(workers);

    const double largest = first.scales.isEmpty() ? 0 : std::max(std::abs(first.scales.low), std::abs(first.scales.high));
    const BinRule scaleRule(first.scales.isEmpty() ? 0 : first.scales.low, first.scales.isEmpty() ? 0 : first.scales.high, bins);
    const BinRule minimumRule(first.minimums.isEmpty() ? 0 : first.minimums.low, first.minimums.isEmpty() ? 0 : first.minimums.high,
                              bins);
    const BinRule magnitudeRule(0, largest, magnitudeBins);
    for (Worker& worker : workers) {
        worker.seen = {};
        worker.seen.scaleBins.resize(bins);
        worker.seen.minimumBins.resize(bins);
        worker.seen.magnitudeBins.resize(magnitudeBins);
    }
    WB_TRY(forEachSlab(task, workers, [&](Worker& worker, const Slab& slab) {
        return reader.forEachBlock(slab, worker.bytes, [&](const BlockParts& parts) {
            for (std::size_t g = 0; g < reader.groupsOfBlock(); ++g) {
                const double scale = double{parts.scales[g]}, offset = double{parts.offsets[g]};
                if (std::isfinite(scale)) ++worker.seen.scaleBins[scaleRule(scale)];
                if (std::isfinite(scale) && scale != 0) ++worker.seen.magnitudeBins[magnitudeRule(std::abs(scale))];
                if (std::isfinite(offset) && reader.facts().hasMinimum) ++worker.seen.minimumBins[minimumRule(offset)];
            }
        });
    }));
    WB_TRY(task.complete());
    return describe(reader, tensor.elements(), std::move(first), total(workers), largest);
}

} // namespace wb::stats
