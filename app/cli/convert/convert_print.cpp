// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"

#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/formats/gguf/writer.h"
#include "core/quant/mix/mix.h"
#include "core/model/model_json.h"

#include <algorithm>
#include <cstdio>

namespace wb::cli {
namespace {

// The error of quantizing; a copied tensor has none.
void writeErrors(JsonWriter& out, const ConvertResult& result, std::size_t i) {
    std::optional<double> rmse;
    convert::TensorError error;
    if (result.done) {
        error = result.work.quantized->tensors[i].copied() ? convert::TensorError{0, 0.0, 1.0} : result.done->errors[i];
        rmse = error.rmse;
    }
    numberOrNull(out, "rmse", rmse);
    numberOrNull(out, "rel_rmse", error.relativeRmse);
    numberOrNull(out, "cosine", error.cosine);
}

void writeTensor(JsonWriter& out, const ConvertResult& result, const ConvertRow& row, std::size_t i) {
    const convert::PlannedTensor& tensor = *row.tensor;
    out.newline();
    out.beginObject();
    out.key("sources"), out.beginArray();
    for (const std::size_t source : tensor.sources) out.string(result.conversion().folder.model->tensors[source].name);
    out.endArray();
    out.key("transforms"), out.beginArray();
    if (tensor.sources.empty()) out.string("generate");
    else if (tensor.transform != convert::Transform::Copy) out.string(convert::transformName(tensor.transform));
    else if (tensor.order != convert::RowOrder::Stored) out.string(convert::orderName(tensor.order));
    out.endArray();
    out.key("name"), out.string(tensor.name);
    out.key("from"), out.string(name(tensor.from));
    out.key("to"), out.string(name(row.to));
    out.key("bytes"), out.integer(row.bytes);
    if (result.work.quantized) writeErrors(out, result, i);
    std::vector<std::string> sources;
    for (const std::size_t source : tensor.sources) sources.push_back(result.conversion().folder.model->tensors[source].name);
    writeChange(out, result.changes, sources);
    writeHash(out, result.tensorHashes, i);
    out.endObject();
}

// Those that the new file has, in its order.
void writePairs(JsonWriter& out, const ConvertResult& result) {
    out.key("pairs"), out.beginArray();
    const convert::GgufPlanned& work = result.work;
    const auto& planned = result.conversion().pairs;
    std::vector<gguf::StoredPair> written;
    if (work.quantized) {
        const std::string& header = work.quantized->files.front().header;
        const auto bytes = std::as_bytes(std::span(header));
        const io::MemorySource source("", std::vector<std::byte>(bytes.begin(), bytes.end()));
        written = gguf::readStoredPairs(source).value_or(std::vector<gguf::StoredPair>());
    }
    for (const convert::PlannedPair& pair : work.quantized ? std::vector<convert::PlannedPair>() : planned)
        writePair(out, pair.stored.key, pair.type, originName(pair.origin));
    for (const gguf::StoredPair& pair : written) {
        const auto known = std::ranges::find(planned, pair.key, [](const auto& other) { return other.stored.key; });
        const bool isOverride = std::ranges::any_of(work.request.overrides, [&](const auto& o) { return o.key == pair.key; });
        if (isOverride || known == planned.end()) writePair(out, pair.key, typeOfPair(pair), isOverride ? "option" : "computed");
        else writePair(out, pair.key, known->type, originName(known->origin));
    }
    out.endArray();
}

double bitsPerWeight(const ConvertResult& result) {
    double elements = 0, bytes = 0;
    for (const ConvertRow& row : convertRows(result)) {
        elements += static_cast<double>(row.tensor->shape.elements());
        bytes += static_cast<double>(row.bytes);
    }
    return elements > 0 ? 8 * bytes / elements : 0;
}

} // namespace

std::vector<Problem> convertProblems(const ConvertResult& result) {
    std::vector<Problem> problems = result.work.job->problems();
    if (result.done) problems.insert(problems.end(), result.done->remarks.begin(), result.done->remarks.end());
    return problems;
}

std::string convertJson(const ConvertOptions& options, const ConvertResult& result) {
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    out.key("in"), out.string(options.in);
    out.key("out"), out.string(options.out);
    out.key("type"), out.string(result.work.job->type());
    out.key("bytes_in"), out.integer(result.conversion().sourceBytes());
    out.key("bytes_out"), out.integer(result.work.job->bytes());
    out.key("bits_per_weight"), out.number(bitsPerWeight(result));
    out.key("seconds");
    if (result.done) out.number(result.done->seconds);
    else out.null();
    out.key("device"), out.string(result.done ? result.done->device : "cpu");
    writeGgufFiles(out, result.work, options.out, result.fileHashes);
    writePairs(out, result);
    out.key("tensors"), out.beginArray();
    const auto rows = convertRows(result);
    for (std::size_t i = 0; i < rows.size(); ++i) writeTensor(out, result, rows[i], i);
    out.endArray();
    out.newline();
    out.key("problems"), out.beginArray();
    for (const Problem& problem : convertProblems(result)) writeJson(out, problem);
    out.endArray();
    out.endObject();
    out.finish();
    return json;
}

void printConvertTables(const ConvertOptions& options, const ConvertResult& result, bool isQuiet) {
    const convert::ConvertPlan& plan = result.conversion();
    Table table({{"Tensor"}, {"Source"}, {"Transform"}, {"Source"}, {"To"}, {"Bytes", true}});
    for (const ConvertRow& row : convertRows(result)) {
        const convert::PlannedTensor& tensor = *row.tensor;
        std::string source = tensor.sources.empty() ? "–" : plan.folder.model->tensors[tensor.sources.front()].name;
        if (tensor.sources.size() > 1) source += fmt::format(" … ({})", tensor.sources.size());
        table.add({escapeControls(tensor.name), escapeControls(source),
                   tensor.sources.empty() ? "generate" : convert::transformName(tensor.transform), name(tensor.from), name(row.to),
                   fmt::format("{}", row.bytes)});
    }
    if (!isQuiet) table.print(), fmt::print("\n");
    fmt::print("{} {} → {}, {} pairs", result.done ? "Wrote" : "Would write", humanBytes(plan.sourceBytes()),
               humanBytes(result.work.job->bytes()), plan.pairs.size());
    if (result.done) fmt::print(" to {} in {:.2f} s", escapeControls(toUtf8(options.out)), result.done->seconds);
    fmt::print("\n");
    for (const Problem& problem : convertProblems(result))
        fmt::print("{}: {}\n", severityName(problem.severity), escapeControls(toUtf8(problem.message())));
}

} // namespace wb::cli
