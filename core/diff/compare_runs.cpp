// SPDX-License-Identifier: MIT
#include "core/diff/compare_runs.h"

#include "core/convert/gguf/convert_item.h"
#include "core/diff/sums.h"
#include "core/jobs/thread_pool.h"
#include "core/stats/elements.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

namespace wb::diff {
namespace {

constexpr std::uint64_t usualSlab = 1 << 18; // elements, a multiple of every block
constexpr std::size_t slabsAtOnce = 1 << 14; // whose sums are kept until they are added in order

// A run being compared.
struct OpenRun {
    std::size_t pair;
    const Run* run;
    TensorReader a, b;
};

struct Slab {
    std::size_t run; // index into the open runs
    std::uint64_t first, count;
};

struct Buffers {
    std::vector<std::byte> rawA, rawB;
    std::vector<float> a, b;
    std::vector<double> wideA, wideB;
};

// Types that f32 cannot hold; complex numbers are compared by their bytes alone.
bool isWide(Dtype dtype) { return stats::isWide(dtype) && info(dtype).kind != DtypeKind::Complex; }
bool isComplex(Dtype dtype) { return info(dtype).kind == DtypeKind::Complex; }

bool isOfValues(const Error& error) {
    return error.code == ErrorCode::Malformed || error.code == ErrorCode::Unsupported || error.code == ErrorCode::TooLarge;
}

Result<void> readRaw(const TensorReader& reader, std::uint64_t first, std::uint64_t count, std::vector<std::byte>& raw) {
    raw.resize(reader.byteCount(count));
    return reader.readRaw(first, count, raw);
}

std::span<const float> decoded(Dtype dtype, std::span<const std::byte> raw, std::uint64_t count, std::vector<float>& values) {
    values.resize(count);
    if (dtype == Dtype::F32) std::memcpy(values.data(), raw.data(), raw.size());
    else decode(dtype, raw, values);
    return values;
}

std::span<const double> widened(Dtype dtype, std::span<const std::byte> raw, std::uint64_t count, std::vector<float>& narrow,
                                std::vector<double>& values) {
    values.resize(count);
    if (isWide(dtype)) {
        stats::visitWide(dtype, [&](auto load) {
            for (std::uint64_t i = 0; i < count; ++i) values[i] = static_cast<double>(load(raw, i));
        });
    } else {
        std::ranges::copy(decoded(dtype, raw, count, narrow), values.begin());
    }
    return values;
}

void change(ValueChange change, std::span<float> values) {
    if (change == ValueChange::AddOne)
        for (float& value : values) value += 1;
    if (change == ValueChange::NegativeExponential)
        for (float& value : values) value = convert::negatedExp(value);
}

Sums compareBytes(std::span<const std::byte> a, std::span<const std::byte> b, std::uint64_t count) {
    Sums sums;
    sums.elements = count;
    const std::size_t each = count == 0 ? 1 : a.size() / count;
    for (std::uint64_t i = 0; i < count; ++i) sums.changed += std::memcmp(&a[i * each], &b[i * each], each) != 0;
    return sums;
}

Result<Sums> compareSlab(const OpenRun& open, const Slab& slab, Buffers& buffers) {
    const std::uint64_t atA = open.run->a.first + slab.first, atB = open.run->b.first + slab.first;
    const Dtype typeA = open.a.dtype(), typeB = open.b.dtype();
    WB_TRY(readRaw(open.a, atA, slab.count, buffers.rawA));
    WB_TRY(readRaw(open.b, atB, slab.count, buffers.rawB));
    const bool isSame = typeA == typeB && buffers.rawA == buffers.rawB;
    if (isComplex(typeA) || isComplex(typeB)) {
        if (typeA == typeB) return compareBytes(buffers.rawA, buffers.rawB, slab.count);
        return fail(ErrorCode::Unsupported, Reason("diff.complex"), About{open.run->a.tensor.name},
                    WB_TEXT("{} of type {} cannot be compared with type {}."), open.run->a.tensor.name, name(typeA), name(typeB));
    }
    if (isWide(typeA) || isWide(typeB)) {
        const auto w = widened(typeA, buffers.rawA, slab.count, buffers.a, buffers.wideA);
        const auto v = widened(typeB, buffers.rawB, slab.count, buffers.b, buffers.wideB);
        Sums sums = compareValues(w, v, open.run->origin);
        // Integers beyond 53 bits differ in bytes although they are one f64.
        if (typeA == typeB && sums.changed == 0 && !isSame && info(typeA).kind == DtypeKind::Integer)
            sums.changed = compareBytes(buffers.rawA, buffers.rawB, slab.count).changed;
        return sums;
    }
    const ValueChange changeA = open.run->a.change, changeB = open.run->b.change;
    const auto w = decoded(typeA, buffers.rawA, slab.count, buffers.a);
    change(changeA, buffers.a);
    if (isSame && changeA == ValueChange::None && changeB == ValueChange::None)
        return compareValues(w, w, open.run->origin); // decoded once
    const auto v = decoded(typeB, buffers.rawB, slab.count, buffers.b);
    change(changeB, buffers.b);
    return compareValues(w, v, open.run->origin);
}

class Comparer {
public:
    Comparer(Pairing& pairing, const Options& options) : m_pairing(pairing), m_options(options), m_totals(pairing.pairs.size()) {
        for (const PlannedPair& planned : pairing.pairs)
            for (const Run& run : planned.runs) m_bytes += operandBytes(run.a, run.elements) + operandBytes(run.b, run.elements);
    }

    Result<void> run() {
        std::size_t begin = 0;
        while (begin < m_pairing.pairs.size()) {
            std::vector<OpenRun> runs;
            std::vector<Slab> slabs;
            const std::size_t first = begin;
            for (; begin < m_pairing.pairs.size() && (slabs.size() < slabsAtOnce || begin == first); ++begin)
                WB_TRY(open(begin, runs, slabs));
            WB_TRY(compare(runs, slabs));
        }
        for (std::size_t i = 0; i < m_pairing.pairs.size(); ++i) finish(i);
        return {};
    }

private:
    static std::uint64_t operandBytes(const Operand& operand, std::uint64_t elements) {
        return rowBytes(operand.tensor.dtype, elements).value_or(0);
    }

    // Where runs of one pair are added one after another.
    struct Total {
        Sums sums;
        std::uint64_t largestRun = 0; // the run, and its element, with the largest error
        std::uint64_t largestAt = 0;
    };

    Result<void> open(std::size_t pair, std::vector<OpenRun>& runs, std::vector<Slab>& slabs) {
        PlannedPair& planned = m_pairing.pairs[pair];
        std::vector<OpenRun> opened;
        for (const Run& run : planned.runs) {
            auto a = TensorReader::open(m_pairing.models[run.a.model], run.a.tensor);
            auto b = a ? TensorReader::open(m_pairing.models[run.b.model], run.b.tensor) : std::unexpected(a.error());
            if (!a || !b) {
                const Error& error = a ? b.error() : a.error();
                if (!isOfValues(error)) return std::unexpected(error);
                planned.pair.failure = error;
                return {};
            }
            opened.push_back({pair, &run, *std::move(a), *std::move(b)});
        }
        for (OpenRun& each : opened) {
            const std::uint64_t step = runStep(*each.run);
            for (std::uint64_t at = 0; at < each.run->elements; at += step)
                slabs.push_back({runs.size(), at, std::min(step, each.run->elements - at)});
            runs.push_back(std::move(each));
        }
        return {};
    }

    Result<void> compare(const std::vector<OpenRun>& runs, const std::vector<Slab>& slabs) {
        std::vector<Sums> results(slabs.size());
        m_buffers.resize(std::max<std::size_t>(m_buffers.size(), jobs::loopWidth(slabs.size(), m_options.threads)));
        WB_TRY(jobs::parallelFor(
            slabs.size(), m_options.threads, m_options.progress.stop, [&](std::uint64_t i, unsigned slot) -> Result<void> {
                const OpenRun& open = runs[slabs[i].run];
                auto sums = compareSlab(open, slabs[i], m_buffers[slot]);
                if (sums) results[i] = *sums;
                else if (auto noted = note(open.pair, sums.error()); !noted) return noted;
                const std::uint64_t bytes = operandBytes(open.run->a, slabs[i].count) + operandBytes(open.run->b, slabs[i].count);
                return m_options.progress.at(m_done += bytes, m_bytes);
            }));
        for (std::size_t i = 0; i < slabs.size(); ++i) {
            const OpenRun& open = runs[slabs[i].run];
            Total& total = m_totals[open.pair];
            const double before = total.sums.maxAbs;
            total.sums.add(results[i], 0);
            if (total.sums.maxAbs > before) {
                total.largestRun = static_cast<std::uint64_t>(open.run - m_pairing.pairs[open.pair].runs.data());
                total.largestAt = slabs[i].first + results[i].maxAt;
            }
        }
        return {};
    }

    // Damaged values are known of one pair; all else ends the work.
    Result<void> note(std::size_t pair, const Error& error) {
        if (!isOfValues(error)) return std::unexpected(error);
        const std::lock_guard lock(m_mutex);
        auto& failure = m_pairing.pairs[pair].pair.failure;
        if (!failure) failure = error;
        return {};
    }

    void finish(std::size_t index) {
        PlannedPair& planned = m_pairing.pairs[index];
        Pair& pair = planned.pair;
        if (pair.failure || planned.runs.empty()) return;
        const Total& total = m_totals[index];
        pair.measures = computeMeasures(total.sums);
        pair.isEqual = total.sums.changed == 0;
        if (!pair.measures->maxAbs) return;
        Location location = planned.runs[total.largestRun].locate(total.largestAt);
        pair.measures->maxAt = std::move(location.index);
        if (pair.b.size() > 1) pair.measures->maxIn = std::move(location.tensor);
    }

    Pairing& m_pairing;
    const Options& m_options;
    std::vector<Total> m_totals;
    std::vector<Buffers> m_buffers;
    std::mutex m_mutex;
    std::uint64_t m_bytes = 0;
    std::atomic<std::uint64_t> m_done{0};
};

} // namespace

std::uint64_t runStep(const Run& run) { return std::max<std::uint64_t>(usualSlab / run.unit, 1) * run.unit; }

Result<RunReader> RunReader::open(const Run& run, const std::vector<Model>& models) {
    WB_TRY_ASSIGN(TensorReader a, TensorReader::open(models[run.a.model], run.a.tensor));
    WB_TRY_ASSIGN(TensorReader b, TensorReader::open(models[run.b.model], run.b.tensor));
    if (isComplex(a.dtype()) || isComplex(b.dtype()))
        return fail(ErrorCode::Unsupported, Reason("diff.complex_values"), About{run.a.tensor.name},
                    WB_TEXT("{} is compared by its bytes alone: its type is complex."), run.a.tensor.name);
    return RunReader(run, std::move(a), std::move(b));
}

Result<void> RunReader::read(std::uint64_t first, std::uint64_t count, std::vector<double>& w, std::vector<double>& v) {
    const auto readSide = [&](const TensorReader& reader, const Operand& operand, std::vector<double>& values) -> Result<void> {
        WB_TRY(readRaw(reader, operand.first + first, count, m_raw));
        widened(reader.dtype(), m_raw, count, m_narrow, values);
        if (operand.change == ValueChange::None) return {};
        decoded(reader.dtype(), m_raw, count, m_narrow);
        change(operand.change, m_narrow);
        std::ranges::copy(m_narrow, values.begin());
        return {};
    };
    WB_TRY(readSide(m_a, m_run->a, w));
    return readSide(m_b, m_run->b, v);
}

std::optional<Measures> compareSample(const Run& run, const std::vector<Model>& models) {
    auto a = TensorReader::open(models[run.a.model], run.a.tensor);
    auto b = TensorReader::open(models[run.b.model], run.b.tensor);
    if (!a || !b) return std::nullopt;
    const OpenRun open{0, &run, *std::move(a), *std::move(b)};
    Buffers buffers;
    const auto sums = compareSlab(open, {0, 0, run.elements}, buffers);
    return sums ? std::optional(computeMeasures(*sums)) : std::nullopt;
}

Result<void> compareRuns(Pairing& pairing, const Options& options) {
    WB_TRY(Comparer(pairing, options).run());
    for (const Model& model : pairing.models)
        for (const ModelFile& file : model.files)
            if (file.source) WB_TRY(file.source->checkUnchanged());
    return {};
}

} // namespace wb::diff
