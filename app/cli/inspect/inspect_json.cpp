// SPDX-License-Identifier: MIT
#include "app/cli/inspect/inspect.h"
#include "app/cli/inspect/series_statistics.h"

#include "core/base/text.h"
#include "core/model/model_json.h"
#include "core/stats/stats_json.h"

#include <cstdio>

namespace wb::cli {
namespace {

void writeStatistics(JsonWriter& out, const std::optional<stats::TensorStats>& statistics, const Shape& shape,
                     const InspectOptions& options) {
    if (options.statistics) {
        out.key("stats");
        if (statistics) stats::writeJson(out, *statistics, shape);
        else out.null();
    }
    if (!options.channels) return;
    out.key("channels");
    if (statistics && statistics->channels) stats::writeJson(out, *statistics->channels);
    else out.null();
}

void writeDevice(JsonWriter& out, const stats::TensorStats& statistics) {
    out.key("device");
    out.string(statistics.device);
    out.key("device_note");
    if (statistics.deviceNote) out.string(statistics.deviceNote->message());
    else out.null();
}

void writeSpectrum(JsonWriter& out, const peft::Spectrum& spectrum) {
    out.key("adapter");
    out.beginObject();
    out.key("norm");
    out.number(spectrum.norm);
    out.key("singular_values");
    out.beginArray();
    for (const double value : spectrum.singularValues) out.number(value);
    out.endArray();
    out.endObject();
}

void writeTensor(JsonWriter& out, const Inspection& inspection, const InspectOptions& options, std::size_t position) {
    const TensorInfo& tensor = inspection.model->tensors[inspection.chosen[position]];
    out.newline();
    out.beginObject();
    writeTensorMembers(out, *inspection.model, tensor);
    if (options.hashes) {
        out.key("sha256");
        if (const auto& hash = inspection.hashes[position]) out.string(*hash);
        else out.null();
    }
    if (!inspection.statistics.empty()) {
        writeStatistics(out, inspection.statistics[position], tensor.shape, options);
        if (inspection.statistics[position]) writeDevice(out, *inspection.statistics[position]);
    }
    const auto spectrum = inspection.spectra.find(inspection.chosen[position]);
    if (spectrum != inspection.spectra.end()) writeSpectrum(out, spectrum->second);
    if (options.spectra) {
        out.key("spectrum");
        const auto matrix = inspection.matrices.find(inspection.chosen[position]);
        if (matrix != inspection.matrices.end()) stats::writeJson(out, matrix->second);
        else out.null();
    }
    out.endObject();
}

} // namespace

void printInspectionJson(const Inspection& inspection, const InspectOptions& options) {
    JsonWriter out([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    out.beginObject();
    writeModelMembers(out, *inspection.model, toUtf8(options.path));
    out.newline();
    out.key("tensors");
    out.beginArray();
    for (std::size_t i = 0; i < inspection.chosen.size(); ++i) writeTensor(out, inspection, options, i);
    out.endArray();
    if (options.series) {
        out.newline();
        writeSeriesStatistics(out, inspection);
    }
    out.newline();
    out.key("problems");
    out.beginArray();
    for (const Problem& problem : inspection.model->problems) writeJson(out, problem);
    for (const Problem& problem : inspection.problems) writeJson(out, problem);
    out.endArray();
    out.endObject();
    out.finish();
}

} // namespace wb::cli
