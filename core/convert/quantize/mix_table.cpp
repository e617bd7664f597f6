// SPDX-License-Identifier: MIT
#include "core/convert/quantize/mix_table.h"

#include "core/jobs/thread_pool.h"
#include "core/quant/mix/recommendation.h"
#include "core/quant/quantize.h"
#include "core/quant/whatif/what_if.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

namespace wb::quantize {
namespace {

constexpr std::uint64_t curvePoints = 48;
constexpr double impossible = std::numeric_limits<double>::infinity();

// The error of a tensor in one type, over all its elements.
struct Loss {
    double squared = 0;
    double weighted = 0; // with importances; the same without
};

// One tensor that can be quantized, with its candidate types.
struct Candidate {
    std::size_t source = 0; // of the model's tensors
    quant::ColumnWeights weights;
    std::map<Dtype, Loss> losses; // by type; impossible ones are infinite
    double values = 0;            // Σw²
    double weightedValues = 0;    // Σh·w²
};

struct PlannedMix {
    quant::FileType type;
    QuantizePlan plan;
};

class Comparison {
public:
    Comparison(ModelPtr model, QuantizeRequest request, const quant::BudgetOptions& options, const Progress& progress)
        : m_model(std::move(model)), m_request(std::move(request)), m_options(options), m_progress(progress) {
        m_request.mix = {};
        m_request.types.clear();
        m_request.allowRequantize = true;
    }

    Result<MixTable> run() {
        WB_TRY(planMixes());
        gatherCandidates();
        WB_TRY(measureAll());
        MixTable table;
        table.isQuantized = isQuantizedAlready();
        table.isWeighted = m_request.matrix != nullptr;
        table.isExact = m_options.isExact();
        for (const ModelFile& file : m_model->files) table.sourceBytes += file.bytes;
        if (auto subject = memory::memorySubject(m_mixes.front().plan.model)) table.subject = std::move(*subject);
        for (const PlannedMix& mix : m_mixes) table.rows.push_back(rowOf(mix, table.subject));
        std::ranges::stable_sort(table.rows, std::greater(), &MixRow::bytes);
        table.curve = curve();
        return table;
    }

private:
    // Mixes that do not fit the shapes of the model are omitted; where none does, the first says why.
    Result<void> planMixes() {
        std::optional<Error> why;
        for (const quant::FileTypeInfo& info : quant::allFileTypes()) {
            if (m_progress.stop.stop_requested()) return std::unexpected(canceled());
            QuantizeRequest request = m_request;
            request.mix.fileType = info.type;
            request.copies = CopyMode::None;
            auto plan = planTypes(m_model, request);
            if (!plan && !why) why = plan.error();
            if (!plan) continue;
            if (m_mixes.empty()) {
                WB_TRY_ASSIGN(const QuantizePlan whole, planQuantize(m_model, request));
                for (const PlannedFile& file : whole.files) m_headerBytes += file.header.size();
            }
            m_mixes.push_back({info.type, std::move(*plan)});
        }
        if (m_mixes.empty()) return std::unexpected(*why);
        return {};
    }

    // The plans of all mixes have the same tensors in the same order.
    void gatherCandidates() {
        const QuantizePlan& first = m_mixes.front().plan;
        m_candidates.resize(first.tensors.size());
        for (std::size_t i = 0; i < first.tensors.size(); ++i) {
            if (first.tensors[i].kept) continue;
            Candidate& candidate = m_candidates[i];
            candidate.source = first.tensors[i].source;
            candidate.weights = first.tensors[i].weights;
            const TensorInfo& tensor = first.model->tensors[candidate.source];
            const bool hasWeights = !candidate.weights.empty();
            for (const Dtype type : quant::tensorBudgetTypes(tensor, hasWeights, Dtype::F16)) candidate.losses[type] = {};
            for (const PlannedMix& mix : m_mixes) {
                const Dtype type = mix.plan.tensors[i].to;
                if (hasWeights || quant::weightUse(type) != quant::WeightUse::Required) candidate.losses[type] = {};
            }
            m_elements += tensor.shape.elements();
        }
    }

    const TensorInfo& candidateTensor(const Candidate& candidate) const { return model().tensors[candidate.source]; }
    const Model& model() const { return *m_mixes.front().plan.model; }
    static bool isFixed(const Candidate& candidate) { return candidate.losses.empty(); }

    // Samples are too small to share; whole tensors are shared by all threads, one after the other.
    Result<void> measureAll() {
        const auto body = [this](std::uint64_t i) -> Result<void> {
            if (isFixed(m_candidates[i])) return {};
            WB_TRY(measure(m_candidates[i]));
            count(candidateTensor(m_candidates[i]).shape.elements());
            return {};
        };
        return jobs::parallelFor(m_candidates.size(), m_options.isExact() ? 1 : m_options.threads, m_progress.stop, body);
    }

    void count(std::uint64_t elements) {
        std::unique_lock lock(m_mutex);
        m_done += elements;
        const std::uint64_t done = m_done;
        lock.unlock(); // a report may wait for as long as the job is paused
        if (m_progress.report) m_progress.report(done, m_elements);
    }

    Result<void> measure(Candidate& candidate) const {
        const TensorInfo& tensor = candidateTensor(candidate);
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model(), tensor));
        WB_TRY_ASSIGN(const std::vector<float> weights, candidate.weights.readAll());
        quant::WhatIfOptions options;
        options.maxElements = m_options.sampledElements;
        options.threads = m_options.isExact() ? m_options.threads : 1;
        options.worstBlocks = 0;
        options.backend = m_options.backend;
        for (auto& [type, loss] : candidate.losses) {
            const auto found = quant::measure(reader, type, weights, options, Progress{m_progress.stop, {}});
            if (!found && found.error().reason != quant::beyondRange) return std::unexpected(found.error());
            if (!found) {
                loss = {impossible, impossible};
                continue;
            }
            const auto seen = static_cast<double>(std::max<std::uint64_t>(found->elements, 1));
            const double scale = static_cast<double>(tensor.shape.elements()) / seen;
            candidate.values = found->squaredValues * scale;
            candidate.weightedValues = found->weightedValues * scale;
            if (type != tensor.dtype) loss = {found->squaredError * scale, found->weightedError * scale};
        }
        return {};
    }

    // Sums over the tensors; with `weighted` over those that have importances.
    struct Sums {
        double errors = 0;
        double values = 0;
        std::optional<double> relative() const {
            if (!std::isfinite(errors) || values <= 0) return std::nullopt;
            return std::sqrt(errors / values);
        }
    };
    Sums mixSums(const PlannedMix& mix, bool weighted) const {
        Sums sums;
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const Candidate& candidate = m_candidates[i];
            if (isFixed(candidate) || (weighted && candidate.weights.empty())) continue;
            const auto loss = candidate.losses.find(mix.plan.tensors[i].to);
            const double error = loss == candidate.losses.end() ? impossible
                                 : weighted                     ? loss->second.weighted
                                                                : loss->second.squared;
            sums.errors += error;
            sums.values += weighted ? candidate.weightedValues : candidate.values;
        }
        return sums;
    }

    MixRow rowOf(const PlannedMix& mix, const std::optional<memory::Subject>& subject) const {
        MixRow row;
        row.type = mix.type;
        row.bytes = m_headerBytes;
        std::vector<Dtype> types;
        for (const TensorInfo& tensor : model().tensors) types.push_back(tensor.dtype);
        for (const PlannedTensor& planned : mix.plan.tensors) {
            row.bytes += quant::paddedBytes(model().tensors[planned.source], planned.to);
            types[planned.source] = planned.to;
        }
        row.bitsPerWeight = mix.plan.bitsPerWeight();
        row.needsMatrix = !mix.plan.canExecute();
        if (subject) row.weights = memory::weightSizes(model(), subject->spec, types);
        row.isPublishedWithMatrix = m_request.matrix && asksForMatrix(mix.type);
        if (!isQuantizedAlready()) row.published = quant::publishedQuality(mix.type, row.isPublishedWithMatrix);
        if (row.needsMatrix) return row;
        const Sums sums = mixSums(mix, false);
        row.relativeError = sums.relative();
        if (row.relativeError && sums.errors > 0) row.snr = 10 * std::log10(sums.values / sums.errors);
        if (m_request.matrix) row.weightedError = mixSums(mix, true).relative();
        return row;
    }

    // Published figures are of models in floats.
    bool isQuantizedAlready() const {
        return std::ranges::any_of(m_candidates, [this](const Candidate& candidate) {
            return !isFixed(candidate) && wb::info(candidateTensor(candidate).dtype).kind == DtypeKind::Block;
        });
    }

    // A type that asks for no importances has the same figures with a matrix.
    static bool asksForMatrix(quant::FileType type) {
        return quant::weightUse(quant::info(type).base) != quant::WeightUse::Ignored;
    }

    // What each tensor may become by a budget, and costs then.
    std::vector<std::vector<quant::TypeCost>> budgetCosts() const {
        std::vector<std::vector<quant::TypeCost>> costs;
        for (const Candidate& candidate : m_candidates) {
            if (isFixed(candidate)) continue;
            const TensorInfo& tensor = candidateTensor(candidate);
            auto& list = costs.emplace_back();
            for (const Dtype type : quant::tensorBudgetTypes(tensor, !candidate.weights.empty(), Dtype::F16)) {
                const Loss& loss = candidate.losses.at(type);
                list.push_back({type, quant::paddedBytes(tensor, type), m_request.matrix ? loss.weighted : loss.squared});
            }
            std::erase_if(list, [](const quant::TypeCost& cost) { return !cost.isPossible(); });
            if (list.empty()) return {};
            quant::dropLowTypes(tensor, list);
        }
        return costs;
    }

    std::vector<MixPoint> curve() const {
        const auto costs = budgetCosts();
        if (costs.empty()) return {};
        std::uint64_t fixed = m_headerBytes;
        double values = 0;
        for (std::size_t i = 0; i < m_candidates.size(); ++i) {
            const PlannedTensor& planned = m_mixes.front().plan.tensors[i];
            if (isFixed(m_candidates[i])) fixed += quant::paddedBytes(model().tensors[planned.source], planned.to);
            values += m_request.matrix ? m_candidates[i].weightedValues : m_candidates[i].values;
        }
        std::uint64_t least = 0, most = 0;
        for (const auto& list : costs) {
            least += std::ranges::min(list, {}, &quant::TypeCost::bytes).bytes;
            most += std::ranges::max(list, {}, &quant::TypeCost::bytes).bytes;
        }
        std::vector<MixPoint> points;
        for (std::uint64_t step = 0; step < curvePoints && values > 0; ++step) {
            const auto choice = quant::solveBudget(costs, least + (most - least) / (curvePoints - 1) * step);
            MixPoint point{fixed, 0};
            for (std::size_t i = 0; i < choice.size(); ++i) {
                point.bytes += costs[i][choice[i]].bytes;
                point.error += costs[i][choice[i]].error;
            }
            point.error = std::sqrt(point.error / values);
            if (points.empty() || point.bytes > points.back().bytes) points.push_back(point);
        }
        return points;
    }

    ModelPtr m_model;
    QuantizeRequest m_request;
    const quant::BudgetOptions& m_options;
    const Progress& m_progress;
    std::vector<PlannedMix> m_mixes;
    std::uint64_t m_headerBytes = 0;
    std::vector<Candidate> m_candidates; // as the tensors of a plan; those that are never quantized have no losses
    std::uint64_t m_elements = 0;
    std::mutex m_mutex;
    std::uint64_t m_done = 0;
};

} // namespace

Result<MixTable> compareMixes(const ModelPtr& model, QuantizeRequest request, const quant::BudgetOptions& options,
                              const Progress& progress) {
    return Comparison(model, std::move(request), options, progress).run();
}

std::vector<std::optional<MixNeed>> judgeMixes(const MixTable& table, const memory::Settings& settings,
                                               std::span<const memory::Memory> memories) {
    std::vector<std::optional<MixNeed>> needs(table.rows.size());
    if (!table.subject) return needs;
    for (std::size_t i = 0; i < needs.size(); ++i) {
        MixNeed need{memory::planMemoryUse(table.subject->spec, table.rows[i].weights, settings).total(), memory::Verdict::No};
        for (const memory::Memory& memory : memories)
            need.verdict =
                std::min(need.verdict, memory::checkFit(*table.subject, table.rows[i].weights, settings, memory).verdict);
        needs[i] = need;
    }
    return needs;
}

std::optional<MixAdvice> adviseMix(const MixTable& table, std::span<const std::optional<MixNeed>> needs) {
    if (table.isQuantized) return std::nullopt;
    const auto gpuErrorBytes = [&](const MixRow& row) { return table.isWeighted ? row.weightedError : row.relativeError; };
    std::vector<quant::TypeOffer> offers;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const MixRow& row = table.rows[i];
        const bool fits = !needs[i] || needs[i]->verdict == memory::Verdict::Fits;
        offers.push_back({row.bytes, gpuErrorBytes(row), fits && row.bytes < table.sourceBytes});
    }
    const auto advice = quant::adviseType(offers, unnoticedError);
    if (!advice) return std::nullopt;
    return MixAdvice{advice->offer, advice->isUnnoticed ? MixAdvice::Why::Unnoticed : MixAdvice::Why::LeastLoss};
}

} // namespace wb::quantize
