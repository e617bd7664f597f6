// SPDX-License-Identifier: MIT
#include "app/cli/inspect/series_statistics.h"

#include "app/cli/table.h"
#include "core/base/text.h"
#include "core/stats/stats_json.h"

#include <fmt/format.h>

namespace wb::cli {
namespace {

std::string cell(const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "–"; }

template <typename T>
void writeOptional(JsonWriter& out, const char* key, const std::optional<T>& value) {
    out.key(key);
    if (!value) out.null();
    else if constexpr (std::is_integral_v<T>) out.integer(*value);
    else out.number(*value);
}

} // namespace

void writeSeriesStatistics(JsonWriter& out, const Inspection& inspection) {
    out.key("series_stats");
    out.beginArray();
    for (const stats::CheckpointStatistics& checkpoint : inspection.series) {
        out.newline();
        out.beginObject();
        out.key("path");
        out.string(checkpoint.path);
        writeOptional(out, "step", checkpoint.step);
        writeOptional(out, "epoch", checkpoint.epoch);
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
    for (const std::size_t index : inspection.chosen) {
        const std::string& name = inspection.model->tensors[index].name;
        fmt::print("\n{}\n", escapeControls(toUtf8(name)));
        Table table({{"Checkpoint"},
                     {"Step", true},
                     {"Epoch", true},
                     {"Mean", true},
                     {"Std dev", true},
                     {"RMS", true},
                     {"Max abs", true},
                     {"NaN", true}});
        for (const stats::CheckpointStatistics& checkpoint : inspection.series) {
            const stats::TensorStats* const found = checkpoint.find(name);
            std::vector<std::string> row = {escapeControls(toUtf8(checkpoint.path)),
                                            checkpoint.step ? fmt::format("{}", *checkpoint.step) : "–", cell(checkpoint.epoch)};
            if (found == nullptr) {
                row.resize(8, "–");
            } else {
                const stats::TensorStats& values = *found;
                for (const auto& value : {values.mean, values.std, values.rms,
                                          values.absmax ? std::optional(stats::asDouble(*values.absmax)) : std::nullopt})
                    row.push_back(cell(value));
                row.push_back(fmt::format("{}", values.nan));
            }
            table.add(std::move(row));
        }
        table.print();
    }
}

} // namespace wb::cli
