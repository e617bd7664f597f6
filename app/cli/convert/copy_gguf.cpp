// SPDX-License-Identifier: MIT
#include "app/cli/convert/convert.h"
#include "app/cli/output_file.h"
#include "app/cli/table.h"
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/convert/quantize/quantize_output.h"
#include "core/model/model_json.h"

#include <array>
#include <cstdio>

// `wb convert IN.gguf OUT.gguf`: a GGUF model copied, divided or joined.
namespace wb::cli {
namespace {

namespace fs = std::filesystem;
using quantize::QuantizePlan;

// Options that are for folders, or for quantizing.
const char* foreignOption(const ConvertOptions& options) {
    const QuantizeOptions& mix = options.mix;
    const bool hasMix = !mix.imatrix.empty() || !mix.tensorTypes.empty() || !mix.tensorTypeFile.empty() || mix.pure ||
                        !mix.outputType.empty() || !mix.tokenEmbeddingType.empty() || mix.leaveOutput || mix.allowRequantize;
    const std::array<std::pair<bool, const char*>, 11> all = {
        {{!options.type.empty() && !ascii::same(options.type, "auto"), "--type"},
         {!options.outType.empty() && !ascii::same(options.outType, "auto"), "--outtype"},
         {!options.modelName.empty(), "--model-name"},
         {!options.preTokenizer.empty(), "--pre"},
         {!options.templateFile.empty(), "--template"},
         {!options.metadataFile.empty(), "--metadata"},
         {!options.mix.overrides.empty(), "--override-kv"},
         {!options.base.empty(), "--base"},
         {options.vocabOnly, "--vocab-only"},
         {options.modelfile, "--modelfile"},
         {hasMix, "--pure, --imatrix and --tensor-type"}}};
    for (const auto& [isGiven, name] : all)
        if (isGiven) return name;
    return nullptr;
}

Result<convert::GgufRequest> copyRequest(const Context& context, const ConvertOptions& options) {
    convert::GgufRequest request;
    if (options.planFile.empty()) {
        const bool joins = ascii::same(options.split.shardSize, "none");
        WB_TRY_ASSIGN(request.quantize.split, parseSplit(options.split));
        request.quantize.mix.copy = true;
        request.quantize.copies = joins && request.quantize.split.isNone() ? quantize::CopyMode::Join : quantize::CopyMode::Keep;
    } else {
        WB_TRY_ASSIGN(const quantize::PlanFile plan, quantize::readPlan(fs::path(options.planFile)));
        request = convert::requestFromPlan(plan, {});
    }
    request.source = fs::path(options.in);
    request.accepts = convert::Accepts::Gguf;
    request.isTrusted = options.yes;
    request.threads = context.threads;
    return request;
}

void writePairs(JsonWriter& out, const QuantizePlan& plan) {
    const auto bytes = std::as_bytes(std::span(plan.files.front().header));
    const io::MemorySource header("", std::vector<std::byte>(bytes.begin(), bytes.end()));
    out.key("pairs"), out.beginArray();
    for (const gguf::StoredPair& pair : gguf::readStoredPairs(header).value_or(std::vector<gguf::StoredPair>()))
        writePair(out, pair.key, typeOfPair(pair), pair.key.starts_with("split.") ? "computed" : "source");
    out.endArray();
}

void writeTensor(JsonWriter& out, const QuantizePlan& plan, std::size_t i, const NewHashes& hashes) {
    const quantize::PlannedTensor& tensor = plan.tensors[i];
    const std::string& tensorName = plan.model->tensors[tensor.source].name;
    out.newline();
    out.beginObject();
    out.key("sources"), out.beginArray(), out.string(tensorName), out.endArray();
    out.key("transforms"), out.beginArray(), out.endArray();
    out.key("name"), out.string(tensorName);
    out.key("from"), out.string(name(tensor.from));
    out.key("to"), out.string(name(tensor.to));
    out.key("bytes"), out.integer(tensor.bytes);
    out.key("file"), out.integer(tensor.file);
    writeHash(out, hashes.tensors, i);
    out.endObject();
}

std::string copyJson(const ConvertOptions& options, const convert::GgufPlanned& planned, const convert::Outcome* done,
                     const NewHashes& hashes) {
    const QuantizePlan& plan = *planned.quantized;
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    std::uint64_t sourceBytes = 0;
    for (const ModelFile& file : plan.model->files) sourceBytes += file.bytes;
    out.beginObject();
    out.key("in"), out.string(options.in);
    out.key("out"), out.string(options.out);
    out.key("type"), out.string(planned.job->type());
    out.key("bytes_in"), out.integer(sourceBytes);
    out.key("bytes_out"), out.integer(plan.fileBytes());
    out.key("bits_per_weight"), out.number(plan.bitsPerWeight());
    numberOrNull(out, "seconds", done ? std::optional(done->seconds) : std::nullopt);
    out.key("device"), out.string("cpu");
    writeGgufFiles(out, planned, options.out, hashes.files);
    writePairs(out, plan);
    out.key("tensors"), out.beginArray();
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) writeTensor(out, plan, i, hashes);
    out.endArray();
    out.newline();
    out.key("problems"), out.beginArray();
    for (const Problem& problem : planned.job->problems()) writeJson(out, problem);
    if (done)
        for (const Problem& problem : done->remarks) writeJson(out, problem);
    out.endArray();
    out.endObject();
    out.finish();
    return json;
}

void printFiles(const ConvertOptions& options, const convert::GgufPlanned& planned, const convert::Outcome* done, bool isQuiet) {
    const QuantizePlan& plan = *planned.quantized;
    const auto paths = planned.job->targets(fs::path(options.out));
    std::vector<std::size_t> tensors(plan.files.size());
    for (const quantize::PlannedTensor& tensor : plan.tensors) ++tensors[tensor.file];
    Table table({{"File"}, {"Tensors", true}, {"Bytes", true}});
    for (std::size_t i = 0; i < paths.size(); ++i)
        table.add({escapeControls(toUtf8(io::pathText(paths[i]))), fmt::format("{}", tensors[i]),
                   fmt::format("{}", plan.files[i].bytes)});
    if (!isQuiet) table.print(), fmt::print("\n");
    fmt::print("{} {} in {} {}", done ? "Wrote" : "Would write", humanBytes(plan.fileBytes()), paths.size(),
               paths.size() == 1 ? "file" : "files");
    if (done) fmt::print(" in {:.2f} s", done->seconds);
    fmt::print("\n");
}

int show(const Context& context, const ConvertOptions& options, const convert::GgufPlanned& planned, const convert::Outcome* done) {
    logProblems(context, planned.job->problems());
    if (done) logProblems(context, done->remarks);
    const bool wantsJson = context.json || !options.reportFile.empty();
    NewHashes hashes;
    if (done && wantsJson) {
        std::vector<TensorBytes> tensors;
        for (const quantize::PlannedTensor& tensor : planned.quantized->tensors)
            tensors.push_back({tensor.file, tensor.offset, tensor.bytes});
        auto read = newHashes(planned.job->targets(fs::path(options.out)), tensors);
        if (!read) return refuse(context, read.error(), options.out);
        hashes = std::move(*read);
    }
    const std::string json = wantsJson ? copyJson(options, planned, done, hashes) : std::string();
    if (context.json) std::fwrite(json.data(), 1, json.size(), stdout);
    else if (!context.files->usesStdout()) printFiles(options, planned, done, context.quiet);
    const auto report = writeOutput(options.reportFile, json);
    return report ? wb::cli::done : refuse(context, report.error(), options.reportFile);
}

} // namespace

bool isGgufFile(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return false;
    const auto source = io::FileSource::open(fs::path(path));
    std::array<char, 4> magic{};
    return source && (*source)->size() >= magic.size() && (*source)->readAt(0, std::as_writable_bytes(std::span(magic))) &&
           std::string_view(magic.data(), magic.size()) == "GGUF";
}

int copyGguf(const Context& context, const ConvertOptions& options) {
    if (const char* const option = foreignOption(options))
        return refuseUsage(
            fmt::format("{} cannot be used when a GGUF file is copied, split or joined; use wb quantize for types and "
                        "metadata.",
                        option));
    const auto request = copyRequest(context, options);
    if (!request && request.error().code == ErrorCode::Invalid) return refuseUsage(request.error().message());
    if (!request) return refuse(context, request.error(), options.planFile);
    const convert::GgufPlanned planned = planAsking(context, *request, options.in);
    if (planned.failure) return refuseJob(context, *planned.failure);
    if (const auto files = checkJobFiles(context, *planned.job, quantize::sourceFiles(*planned.quantized), options.out); !files)
        return refuse(context, files.error());
    if (!options.savePlanFile.empty()) {
        const auto saved = planned.planText ? writeOutput(options.savePlanFile, *planned.planText)
                                            : Result<void>(std::unexpected(planned.planText.error()));
        if (!saved) return refuse(context, saved.error(), options.savePlanFile);
    }
    if (options.dryRun) return show(context, options, planned, nullptr);
    LazyBackend backend(context);
    const auto outcome = runJob(context, *planned.job, options.run(), backend);
    if (!outcome) return refuseRun(context, *planned.job, options.run(), outcome.error());
    return show(context, options, planned, &*outcome);
}

} // namespace wb::cli
