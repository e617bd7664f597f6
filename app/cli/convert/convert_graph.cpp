// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"
#include "app/cli/output_file.h"
#include "app/cli/table.h"
#include "core/base/text.h"
#include "core/model/model_json.h"

#include <cstdio>

// `wb convert IN OUT.onnx --graph FILE.onnx`: the weights of any model in an ONNX graph.
namespace wb::cli {
namespace {

namespace fs = std::filesystem;
using convert::GraphPlan;

struct GraphResult {
    const GraphPlan& plan;
    const convert::Outcome* done = nullptr; // null for a dry run
    NewHashes hashes;

    std::vector<Problem> problems() const {
        std::vector<Problem> all = plan.problems;
        if (done) all.insert(all.end(), done->remarks.begin(), done->remarks.end());
        return all;
    }
};

std::vector<const convert::GraphSegment*> replacedTensors(const GraphPlan& plan) {
    std::vector<const convert::GraphSegment*> replaced;
    for (const convert::GraphSegment& segment : plan.segments)
        if (segment.source) replaced.push_back(&segment);
    return replaced;
}

void writeTensor(JsonWriter& out, const GraphResult& result, const convert::GraphSegment& segment, std::size_t i) {
    const TensorInfo& source = result.plan.weights->tensors[*segment.source];
    out.newline();
    out.beginObject();
    out.key("sources"), out.beginArray(), out.string(source.name), out.endArray();
    out.key("transforms"), out.beginArray();
    if (source.dtype != segment.to) out.string("cast");
    out.endArray();
    out.key("name"), out.string(segment.name);
    out.key("from"), out.string(name(source.dtype));
    out.key("to"), out.string(name(segment.to));
    out.key("bytes"), out.integer(segment.bytes);
    out.key("file"), out.string(result.plan.files[segment.file].name);
    writeHash(out, result.hashes.tensors, i);
    out.endObject();
}

std::string graphJson(const ConvertOptions& options, const GraphResult& result) {
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    const auto replaced = replacedTensors(result.plan);
    out.beginObject();
    out.key("in"), out.string(options.in);
    out.key("out"), out.string(options.out);
    out.key("type"), out.string("onnx");
    out.key("bytes_in"), out.integer(result.plan.fileBytes());
    out.key("bytes_out"), out.integer(result.plan.fileBytes());
    out.key("bits_per_weight"), out.null();
    numberOrNull(out, "seconds", result.done ? std::optional(result.done->seconds) : std::nullopt);
    out.key("device"), out.string("cpu");
    const auto paths = result.plan.paths(fs::path(options.out));
    out.key("files"), out.beginArray();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        out.newline(), out.beginObject();
        out.key("path"), out.string(io::pathText(paths[i]));
        out.key("bytes"), out.integer(result.plan.files[i].bytes);
        writeHash(out, result.hashes.files, i);
        out.endObject();
    }
    out.endArray();
    out.key("pairs"), out.beginArray(), out.endArray();
    out.key("tensors"), out.beginArray();
    for (std::size_t i = 0; i < replaced.size(); ++i) writeTensor(out, result, *replaced[i], i);
    out.endArray();
    out.newline();
    out.key("kept"), out.integer(result.plan.kept);
    out.key("problems"), out.beginArray();
    for (const Problem& problem : result.problems()) writeJson(out, problem);
    out.endArray();
    out.endObject();
    out.finish();
    return json;
}

void printTables(const ConvertOptions& options, const GraphResult& result, bool isQuiet) {
    const auto replaced = replacedTensors(result.plan);
    Table table({{"Tensor"}, {"Source"}, {"To"}, {"Bytes", true}, {"File"}});
    for (const convert::GraphSegment* segment : replaced)
        table.add({escapeControls(toUtf8(segment->name)), result.plan.weights->tensors[*segment->source].dtypeName(),
                   name(segment->to), fmt::format("{}", segment->bytes), escapeControls(result.plan.files[segment->file].name)});
    if (!isQuiet) table.print(), fmt::print("\n");
    fmt::print("{} {}: {} of {} tensors have new values", result.done ? "Wrote" : "Would write",
               humanBytes(result.plan.fileBytes()), replaced.size() + result.plan.listed.size(),
               replaced.size() + result.plan.listed.size() + result.plan.kept);
    if (result.done) fmt::print("; {} in {:.2f} s", escapeControls(toUtf8(options.out)), result.done->seconds);
    fmt::print("\n");
    for (const Problem& problem : result.problems())
        fmt::print("{}: {}\n", severityName(problem.severity), escapeControls(toUtf8(problem.message())));
}

int show(const Context& context, const ConvertOptions& options, GraphResult result) {
    logProblems(context, result.problems());
    const bool wantsJson = context.json || !options.reportFile.empty();
    if (result.done && wantsJson) {
        std::vector<TensorBytes> tensors;
        for (const convert::GraphSegment* segment : replacedTensors(result.plan))
            tensors.push_back({segment->file, segment->offset, segment->bytes});
        auto hashes = newHashes(result.plan.paths(fs::path(options.out)), tensors);
        if (!hashes) return refuse(context, hashes.error(), options.out);
        result.hashes = std::move(*hashes);
    }
    const std::string json = wantsJson ? graphJson(options, result) : std::string();
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else if (!context.files->usesStdout()) printTables(options, result, context.quiet);
    const auto report = writeOutput(options.reportFile, json);
    return report ? done : refuse(context, report.error(), options.reportFile);
}

} // namespace

int convertGraph(const Context& context, const ConvertOptions& options) {
    if (options.graph.empty())
        return refuseUsage("--graph FILE.onnx is required: an ONNX file is written by putting the weights into that graph.");
    const bool hasMore = !options.type.empty() || !options.outType.empty() || options.split.isGiven() || !options.tensors.empty() ||
                         !options.renames.empty() || options.withOptimizer || !options.metadataFile.empty() ||
                         !options.planFile.empty() || !options.savePlanFile.empty() || !options.adapters.empty() ||
                         options.merge.isGiven() || options.modelfile || options.vocabOnly;
    if (hasMore)
        return refuseUsage("--graph keeps the types, names and files of the graph; remove the other options about the output.");
    convert::GraphRequest request{fs::path(options.in), fs::path(options.graph), options.yes, context.threads};
    const Progress progress{context.stop, {}};
    auto planned = convert::planGraph(request, progress);
    if (!planned && confirms(context, planned.error())) {
        request.isTrusted = true;
        planned = convert::planGraph(request, progress);
    }
    if (!planned) return refuseJob(context, planned.error());
    if (const auto files = checkJobFiles(context, *planned->job, planned->plan->sources(), options.out); !files)
        return refuse(context, files.error());
    if (options.dryRun) return show(context, options, {*planned->plan, nullptr, {}});
    LazyBackend backend(context);
    const auto outcome = runJob(context, *planned->job, options.run(), backend);
    if (!outcome) return refuseRun(context, *planned->job, options.run(), outcome.error());
    return show(context, options, {*planned->plan, &*outcome, {}});
}

} // namespace wb::cli
