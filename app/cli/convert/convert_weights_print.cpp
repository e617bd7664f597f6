// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert_weights.h"

#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/convert/gguf/modelfile.h"
#include "core/model/model_json.h"

namespace wb::cli {
namespace {

using convert::PlannedWeight;

void texts(JsonWriter& out, const char* key, const std::vector<std::string>& list) {
    out.key(key), out.beginArray();
    for (const std::string& text : list) out.string(text);
    out.endArray();
}

void hash(JsonWriter& out, const std::vector<std::string>& hashes, std::size_t i) {
    out.key("sha256");
    if (hashes.empty()) out.null();
    else out.string(hashes[i]);
}

void writeTensor(JsonWriter& out, const WeightsResult& result, std::size_t i) {
    const PlannedWeight& weight = result.plan.tensors[i];
    out.newline();
    out.beginObject();
    texts(out, "sources", weight.sources);
    texts(out, "transforms", weight.transforms);
    out.key("name"), out.string(weight.name);
    out.key("from"), out.string(name(weight.from));
    out.key("to"), out.string(name(weight.to));
    out.key("bytes"), out.integer(weight.bytes);
    if (!weight.dropped.empty()) texts(out, "aliases", weight.dropped);
    out.key("file"), out.string(result.plan.weights[weight.file].name);
    const std::string own[] = {result.plan.model->tensors[weight.source].name};
    writeChange(out, result.changes, own);
    hash(out, result.tensorHashes, i);
    out.endObject();
}

void writeFiles(JsonWriter& out, const ConvertOptions& options, const WeightsResult& result) {
    const convert::WeightsPlan& plan = result.plan;
    const auto paths = plan.paths(std::filesystem::path(options.out));
    out.key("files"), out.beginArray();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        out.newline();
        out.beginObject();
        out.key("path"), out.string(io::pathText(paths[i]));
        out.key("bytes"),
            out.integer(i < plan.texts.size() ? plan.texts[i].text.size() : plan.weights[i - plan.texts.size()].bytes);
        hash(out, result.fileHashes, i);
        out.endObject();
    }
    out.endArray();
}

// The one type that all tensors become, else "mixed".
std::string planType(const convert::WeightsPlan& plan) {
    for (const PlannedWeight& weight : plan.tensors)
        if (weight.to != plan.tensors.front().to) return "mixed";
    return name(plan.tensors.front().to);
}

double bitsPerWeight(const convert::WeightsPlan& plan) {
    double elements = 0, bytes = 0;
    for (const PlannedWeight& weight : plan.tensors) {
        elements += static_cast<double>(weight.shape.elements());
        bytes += static_cast<double>(weight.bytes);
    }
    return elements > 0 ? 8 * bytes / elements : 0;
}

std::vector<Problem> resultProblems(const WeightsResult& result) {
    std::vector<Problem> problems = result.plan.problems;
    if (result.done) problems.insert(problems.end(), result.done->remarks.begin(), result.done->remarks.end());
    return problems;
}

} // namespace

std::string weightsJson(const ConvertOptions& options, const WeightsResult& result) {
    const convert::WeightsPlan& plan = result.plan;
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    out.key("in"), out.string(options.in);
    out.key("out"), out.string(options.out);
    out.key("type"), out.string(planType(plan));
    out.key("bytes_in"), out.integer(plan.sourceBytes());
    out.key("bytes_out"), out.integer(plan.fileBytes());
    out.key("bits_per_weight"), out.number(bitsPerWeight(plan));
    out.key("seconds");
    if (result.done) out.number(result.done->seconds);
    else out.null();
    out.key("device"), out.string("cpu");
    writeFiles(out, options, result);
    out.key("pairs"), out.beginArray(), out.endArray();
    out.key("tensors"), out.beginArray();
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) writeTensor(out, result, i);
    out.endArray();
    out.newline();
    out.key("problems"), out.beginArray();
    for (const Problem& problem : resultProblems(result)) writeJson(out, problem);
    out.endArray();
    out.endObject();
    out.finish();
    return json;
}

void printWeightsTables(const ConvertOptions& options, const WeightsResult& result, bool isQuiet) {
    const convert::WeightsPlan& plan = result.plan;
    Table table({{"Tensor"}, {"Source"}, {"Transform"}, {"Source"}, {"To"}, {"Bytes", true}, {"File"}});
    for (const PlannedWeight& weight : plan.tensors) {
        std::string source = weight.sources.empty() ? "–" : weight.sources.front();
        if (weight.sources.size() > 1) source += fmt::format(" … ({})", weight.sources.size());
        std::string transforms;
        for (const std::string& transform : weight.transforms) (transforms += transforms.empty() ? "" : ", ") += transform;
        table.add({escapeControls(weight.name), escapeControls(source), transforms.empty() ? "copy" : escapeControls(transforms),
                   name(weight.from), name(weight.to), fmt::format("{}", weight.bytes),
                   escapeControls(plan.weights[weight.file].name)});
    }
    const std::size_t files = plan.weights.size() + plan.texts.size();
    if (!isQuiet) table.print(), fmt::print("\n");
    fmt::print("{} {} → {} in {}", result.done ? "Wrote" : "Would write", humanBytes(plan.sourceBytes()),
               humanBytes(plan.fileBytes()), files == 1 ? "1 file" : fmt::format("{} files", files));
    if (result.done) fmt::print(" to {} in {:.2f} s", escapeControls(toUtf8(options.out)), result.done->seconds);
    fmt::print("\n");
    const Value* const config = plan.model->metadata.find("config.json");
    if (result.done && plan.isFolder && config && config->object())
        fmt::print("Serve it with: {}\n", escapeControls(convert::vllmCommand(options.out, *config->object())));
    for (const Problem& problem : resultProblems(result))
        fmt::print("{}: {}\n", severityName(problem.severity), escapeControls(toUtf8(problem.message())));
}

} // namespace wb::cli
