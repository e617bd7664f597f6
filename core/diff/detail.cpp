// SPDX-License-Identifier: MIT
#include "core/diff/detail.h"

#include "core/diff/compare_runs.h"
#include "core/model/opened_files.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::diff {
namespace {

class DetailReader {
public:
    DetailReader(const Pairing& pairing, const PlannedPair& planned, const DetailOptions& options)
        : m_pairing(pairing), m_planned(planned), m_options(options) {
        for (const Run& run : planned.runs) m_total += run.elements;
        m_detail.rowLength = std::max<std::uint64_t>(planned.runs.front().b.tensor.shape.rowLength(), 1);
        m_detail.rows = (m_total + m_detail.rowLength - 1) / m_detail.rowLength;
        m_detail.mapRows = std::min<std::uint64_t>(m_detail.rows, options.maxMapRows);
        m_detail.mapColumns = std::min(m_detail.rowLength, std::uint64_t{options.maxMapColumns});
        m_detail.map.assign(m_detail.mapRows * m_detail.mapColumns, std::numeric_limits<float>::quiet_NaN());
        const double limit = planned.pair.measures && planned.pair.measures->maxAbs ? *planned.pair.measures->maxAbs : 0;
        m_detail.errors.low = -limit;
        m_detail.errors.high = limit;
        m_detail.errors.counts.assign(options.bins, 0);
        m_every = std::max<std::uint64_t>((m_total + options.maxElements - 1) / std::max<std::uint64_t>(options.maxElements, 1), 1);
    }

    Result<Detail> run() {
        std::vector<Model> models;
        for (const ModelPtr& model : m_pairing.closed) models.push_back(withOpenedFiles(*model));
        std::uint64_t before = 0;
        for (const Run& run : m_planned.runs) {
            WB_TRY(readRun(run, models, before));
            before += run.elements;
        }
        for (const Model& model : models)
            for (const ModelFile& file : model.files)
                if (file.source) WB_TRY(file.source->checkUnchanged());
        m_detail.isSampled = m_detail.read < m_total;
        for (const float value : m_detail.map)
            if (!std::isnan(value)) m_detail.limit = std::max(m_detail.limit, double{std::fabs(value)});
        return std::move(m_detail);
    }

private:
    Result<void> readRun(const Run& run, const std::vector<Model>& models, std::uint64_t before) {
        WB_TRY_ASSIGN(RunReader reader, RunReader::open(run, models));
        const std::uint64_t step = runStep(run);
        std::vector<double> w, v;
        for (std::uint64_t at = 0; at < run.elements; at += step, ++m_slab) {
            WB_TRY(m_options.progress.at(before + at, m_total));
            if (m_slab % m_every != 0) continue;
            const std::uint64_t count = std::min(step, run.elements - at);
            WB_TRY(reader.read(at, count, w, v));
            add(w, v, before + at);
        }
        return {};
    }

    void add(const std::vector<double>& w, const std::vector<double>& v, std::uint64_t first) {
        stats::Histogram& errors = m_detail.errors;
        const double bins = static_cast<double>(errors.counts.size()), width = errors.high - errors.low;
        for (std::size_t i = 0; i < w.size(); ++i) {
            ++m_detail.read;
            const double error = w[i] - v[i];
            if (!std::isfinite(error)) {
                ++m_detail.notFinite;
                continue;
            }
            const double bin = width > 0 && std::isfinite(width) ? (error - errors.low) / width * bins : bins / 2;
            ++errors.counts[static_cast<std::size_t>(std::clamp(bin, 0.0, bins - 1))];
            const std::uint64_t element = first + i;
            const std::uint64_t row = element / m_detail.rowLength, column = element % m_detail.rowLength;
            float& cell = m_detail.map[row * m_detail.mapRows / m_detail.rows * m_detail.mapColumns +
                                       column * m_detail.mapColumns / m_detail.rowLength];
            if (std::isnan(cell) || std::fabs(error) > std::fabs(double{cell})) cell = static_cast<float>(error);
        }
    }

    const Pairing& m_pairing;
    const PlannedPair& m_planned;
    const DetailOptions& m_options;
    Detail m_detail;
    std::uint64_t m_total = 0;
    std::uint64_t m_every = 1; // of so many slabs one is read
    std::uint64_t m_slab = 0;
};

} // namespace

Result<Detail> readDetail(const Comparison& comparison, std::size_t pair, const DetailOptions& options) {
    const PlannedPair* const planned = comparison.pairing ? &comparison.pairing->pairs.at(pair) : nullptr;
    if (!planned || planned->runs.empty() || planned->pair.elements == 0)
        return fail(ErrorCode::Invalid, Reason("diff.no_values"), About{comparison.pairs.at(pair).a.front()},
                    WB_TEXT("{} has no values to compare."), comparison.pairs.at(pair).a.front());
    if (const auto& failure = comparison.pairs.at(pair).failure) return std::unexpected(*failure);
    return DetailReader(*comparison.pairing, *planned, options).run();
}

} // namespace wb::diff
