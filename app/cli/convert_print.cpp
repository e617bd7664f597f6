// SPDX-License-Identifier: MIT
#include "app/cli/convert.h"

#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/model/model_json.h"

#include <cstdio>

namespace wb::cli {
namespace {

void textOrNull(JsonWriter& out, const char* key, const std::string& text) {
    out.key(key);
    if (text.empty()) out.null();
    else out.string(text);
}

void writeTensor(JsonWriter& out, const ConvertResult& result, std::size_t i) {
    const conversion::PlannedTensor& tensor = result.plan.tensors[i];
    out.newline();
    out.beginObject();
    out.key("sources"), out.beginArray();
    for (const std::size_t source : tensor.sources) out.string(result.plan.folder.model->tensors[source].name);
    out.endArray();
    out.key("transforms"), out.beginArray();
    if (tensor.sources.empty()) out.string("generate");
    else if (tensor.transform != conversion::Transform::Copy) out.string(transformName(tensor.transform));
    out.endArray();
    out.key("name"), out.string(tensor.name);
    out.key("from"), out.string(name(tensor.from));
    out.key("to"), out.string(name(tensor.to));
    out.key("bytes"), out.integer(tensor.bytes);
    textOrNull(out, "sha256", result.tensorHashes.empty() ? std::string() : result.tensorHashes[i]);
    out.endObject();
}

void writeFiles(JsonWriter& out, const ConvertOptions& options, const ConvertResult& result) {
    out.key("files"), out.beginArray();
    out.beginObject();
    out.key("path"), out.string(options.out);
    out.key("bytes"), out.integer(result.plan.fileBytes);
    textOrNull(out, "sha256", result.fileHash);
    out.endObject();
    out.endArray();
}

void writePairs(JsonWriter& out, const conversion::ConvertPlan& plan) {
    out.key("pairs"), out.beginArray();
    for (const conversion::PlannedPair& pair : plan.pairs) {
        out.newline();
        out.beginObject();
        out.key("key"), out.string(pair.stored.key);
        out.key("type"), out.string(pair.type);
        out.key("origin"), out.string(originName(pair.origin));
        out.endObject();
    }
    out.endArray();
}

double bitsPerWeight(const conversion::ConvertPlan& plan) {
    double elements = 0, bytes = 0;
    for (const conversion::PlannedTensor& tensor : plan.tensors) {
        elements += static_cast<double>(tensor.shape.elements());
        bytes += static_cast<double>(tensor.bytes);
    }
    return elements > 0 ? 8 * bytes / elements : 0;
}

std::vector<Problem> problemsOf(const ConvertResult& result) {
    std::vector<Problem> problems = result.plan.problems;
    if (result.outcome) problems.insert(problems.end(), result.outcome->remarks.begin(), result.outcome->remarks.end());
    return problems;
}

} // namespace

std::string convertJson(const ConvertOptions& options, const ConvertResult& result) {
    const conversion::ConvertPlan& plan = result.plan;
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    out.key("in"), out.string(options.in);
    out.key("out"), out.string(options.out);
    out.key("type"), out.string(gguf::info(plan.type).name);
    out.key("bytes_in"), out.integer(plan.sourceBytes());
    out.key("bytes_out"), out.integer(plan.fileBytes);
    out.key("bits_per_weight"), out.number(bitsPerWeight(plan));
    out.key("seconds");
    if (result.outcome) out.number(result.outcome->seconds);
    else out.null();
    out.key("device"), out.string("cpu");
    writeFiles(out, options, result);
    writePairs(out, plan);
    out.key("tensors"), out.beginArray();
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) writeTensor(out, result, i);
    out.endArray();
    out.newline();
    out.key("problems"), out.beginArray();
    for (const Problem& problem : problemsOf(result)) writeJson(out, problem);
    out.endArray();
    out.endObject();
    out.finish();
    return json;
}

void printConvertTables(const ConvertOptions& options, const ConvertResult& result) {
    const conversion::ConvertPlan& plan = result.plan;
    Table table({{"Tensor"}, {"Source"}, {"Transform"}, {"From"}, {"To"}, {"Bytes", true}});
    for (const conversion::PlannedTensor& tensor : plan.tensors) {
        std::string source = tensor.sources.empty() ? "–" : plan.folder.model->tensors[tensor.sources.front()].name;
        if (tensor.sources.size() > 1) source += fmt::format(" … ({})", tensor.sources.size());
        table.add({escapeControls(tensor.name), escapeControls(source),
                   tensor.sources.empty() ? "generate" : transformName(tensor.transform), name(tensor.from), name(tensor.to),
                   fmt::format("{}", tensor.bytes)});
    }
    table.print();
    fmt::print("\n{} {} → {}, {} pairs", result.outcome ? "Wrote" : "Would write", humanBytes(plan.sourceBytes()),
               humanBytes(plan.fileBytes), plan.pairs.size());
    if (result.outcome) fmt::print(" to {} in {:.2f} s", escapeControls(toUtf8(options.out)), result.outcome->seconds);
    fmt::print("\n");
    for (const Problem& problem : problemsOf(result))
        fmt::print("{}: {}\n", severityName(problem.severity), escapeControls(toUtf8(problem.message())));
}

} // namespace wb::cli
