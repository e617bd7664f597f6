// SPDX-License-Identifier: MIT
#include "app/cli/inspect/series_statistics.h"

#include "app/cli/table.h"
#include "core/base/text.h"
#include "core/model/checkpoint.h"
#include "core/stats/stats_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace wb::cli {
namespace {

const SeriesEntry* findEntry(const Inspection& inspection, const std::string& path) {
    const auto found = std::ranges::find(*inspection.model->series, path, &SeriesEntry::path);
    return found == inspection.model->series->end() ? nullptr : &*found;
}

} // namespace

void writeSeriesStatistics(JsonWriter& out, const Inspection& inspection) {
    out.key("series_stats");
    out.beginArray();
    for (const CheckpointStatistics& checkpoint : inspection.series) {
        const SeriesEntry* const entry = findEntry(inspection, checkpoint.path);
        out.newline();
        out.beginObject();
        out.key("path");
        out.string(checkpoint.path);
        out.key("step");
        if (entry != nullptr && entry->step) out.integer(*entry->step);
        else out.null();
        out.key("tensors");
        out.beginArray();
        for (const auto& [name, shape, statistics] : checkpoint.tensors) {
            out.beginObject();
            out.key("name");
            out.string(toUtf8(name));
            out.key("stats");
            if (statistics) stats::writeJson(out, *statistics, shape);
            else out.null();
            out.endObject();
        }
        out.endArray();
        out.endObject();
    }
    out.endArray();
}

void printSeriesStatistics(const Inspection& inspection) {
    if (inspection.series.empty()) return;
    for (const CheckpointStatistics::Tensor& first : inspection.series.back().tensors) {
        fmt::print("\n{}\n", escapeControls(toUtf8(first.name)));
        Table table(
            {{"Checkpoint"}, {"Step", true}, {"Mean", true}, {"Std dev", true}, {"RMS", true}, {"Max abs", true}, {"NaN", true}});
        for (const CheckpointStatistics& checkpoint : inspection.series) {
            const auto found = std::ranges::find(checkpoint.tensors, first.name, &CheckpointStatistics::Tensor::name);
            if (found == checkpoint.tensors.end() || !found->statistics) continue;
            const SeriesEntry* const entry = findEntry(inspection, checkpoint.path);
            const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "–"; };
            const stats::TensorStats& values = *found->statistics;
            table.add({escapeControls(toUtf8(checkpoint.path)),
                       entry != nullptr && entry->step ? fmt::format("{}", *entry->step) : "–", number(values.mean),
                       number(values.std), number(values.rms),
                       number(values.absmax ? std::optional(stats::asDouble(*values.absmax)) : std::nullopt),
                       fmt::format("{}", values.nan)});
        }
        table.print();
    }
}

} // namespace wb::cli
