// SPDX-License-Identifier: MIT
#include "app/cli/infer/memory.h"
#include "app/cli/open_model.h"
#include "app/cli/progress_line.h"
#include "app/cli/convert/quantize.h"
#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/size.h"
#include "core/base/text.h"
#include "core/convert/quantize/mix_table.h"
#include "gpu/compute/quantizer.h"

#include <cstdio>

namespace wb::cli {
namespace {

using namespace wb::quantize;

struct Comparison {
    MixTable table;
    std::uint64_t context = 0;
    std::vector<std::optional<MixNeed>> needs;
    std::optional<MixAdvice> advice;
};

Result<void> checkCompareOptions(const QuantizeOptions& options) {
    const bool hasTarget = !options.out.empty() || !options.type.empty() || !options.planFile.empty() || !options.budget.empty() ||
                           !options.savePlanFile.empty() || !options.reportFile.empty();
    const bool hasTypes = options.pure || options.leaveOutput || !options.tensorTypes.empty() || !options.tensorTypeFile.empty() ||
                          !options.outputType.empty() || !options.tokenEmbeddingType.empty();
    if (hasTarget || hasTypes || options.budgetExact || options.keepSplit || !options.overrides.empty() ||
        !options.pruneLayers.empty())
        return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--compare"},
                    "--compare does not write a file; remove OUT, TYPE and all type options.");
    if (!options.memory.empty() && !parseSize(options.memory))
        return fail(ErrorCode::Invalid, Reason("cli.size"), About{options.memory},
                    WB_TEXT("{} is not a size; use the form 4.2GB or 3900MiB."), options.memory);
    if (options.imatrix.empty() && !(options.includeWeights.empty() && options.excludeWeights.empty()))
        return fail(ErrorCode::Invalid, Reason("cli.options"), About{"--include-weights"},
                    WB_TEXT("--include-weights and --exclude-weights require --imatrix."));
    return {};
}

std::vector<memory::Memory> optionsMemories(const QuantizeOptions& options) {
    if (options.memory.empty()) return memoriesHere();
    return {{.name = options.memory, .side = memory::Side::Processor, .bytes = parseSize(options.memory).value_or(0)}};
}

Result<Comparison> compare(const Context& context, const QuantizeOptions& options) {
    WB_TRY_ASSIGN(const ModelPtr model, openModel(context, options.in, formats::Strictness::Strict));
    WB_TRY(openLog(context));
    QuantizeRequest request;
    auto matrix = readMatrix({options.imatrix, {}, options.includeWeights, options.excludeWeights}, Progress{context.stop, {}});
    if (!matrix) return std::unexpected(named(baseName(options.imatrix), matrix.error()));
    request.matrix = *matrix;
    const gpu::compute::ComputeDevice device(context.device);
    WB_TRY(device.requireNamed());
    const auto backend = gpu::compute::makeQuantizer(device, context.threads);
    quant::BudgetOptions measure;
    measure.sampledElements = options.exact ? 0 : mixSample;
    measure.threads = context.threads;
    measure.backend = backend.get();
    ProgressLine line("measure", !context.quiet);
    const Progress progress{context.stop, [&, bytes = model->tensorBytes()](std::uint64_t done, std::uint64_t total) {
                                line.set(proportionalShare(bytes, done, total), bytes);
                            }};
    Comparison comparison;
    WB_TRY_ASSIGN(comparison.table, quantize::compareMixes(model, request, measure, progress));
    memory::Settings settings;
    const auto& subject = comparison.table.subject;
    settings.context = options.context.value_or(subject ? memory::defaultContext(subject->spec) : settings.context);
    comparison.context = settings.context;
    comparison.needs = judgeMixes(comparison.table, settings, optionsMemories(options));
    comparison.advice = adviseMix(comparison.table, comparison.needs);
    return comparison;
}

bool isAdvised(const Comparison& comparison, std::size_t row) { return comparison.advice && comparison.advice->row == row; }

void writeComparedRow(JsonWriter& out, const Comparison& comparison, std::size_t i) {
    const MixRow& row = comparison.table.rows[i];
    out.newline();
    out.beginObject();
    out.key("type"), out.string(quant::info(row.type).name);
    out.key("bytes"), out.integer(row.bytes);
    out.key("bits_per_weight"), out.number(row.bitsPerWeight);
    numberOrNull(out, "rel_error", row.relativeError);
    numberOrNull(out, "weighted_error", row.weightedError);
    numberOrNull(out, "snr_db", row.snr);
    out.key("published");
    if (row.published) {
        out.beginObject();
        out.key("kld"), out.number(row.published->divergence);
        out.key("imatrix"), out.boolean(row.isPublishedWithMatrix);
        out.key("source"), out.string(quant::publishedSource);
        out.endObject();
    } else {
        out.null();
    }
    const auto& need = comparison.needs[i];
    out.key("needs");
    if (need) out.integer(need->bytes);
    else out.null();
    out.key("verdict");
    if (need) out.string(memory::verdictName(need->verdict));
    else out.null();
    out.key("recommended"), out.boolean(isAdvised(comparison, i));
    out.endObject();
}

void printComparisonJson(const QuantizeOptions& options, const Comparison& comparison) {
    JsonWriter out([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    out.beginObject();
    out.key("model"), out.string(options.in);
    out.key("context"), out.integer(comparison.context);
    out.key("exact"), out.boolean(comparison.table.isExact);
    out.key("mixes"), out.beginArray();
    for (std::size_t i = 0; i < comparison.table.rows.size(); ++i) writeComparedRow(out, comparison, i);
    out.endArray();
    out.newline();
    out.key("budget_curve"), out.beginArray();
    for (const MixPoint& point : comparison.table.curve) {
        out.beginObject();
        out.key("bytes"), out.integer(point.bytes);
        out.key("error"), out.number(point.error);
        out.endObject();
    }
    out.endArray();
    out.endObject();
    out.finish();
}

std::string percent(const std::optional<double>& value) { return value ? fmt::format("{:.3g}%", *value * 100) : "–"; }

void printComparisonTable(const Comparison& comparison) {
    const MixTable& mixes = comparison.table;
    std::vector<Table::Column> columns = {{"Quantization"}, {"File", true}, {"Bits", true}, {"Error", true}};
    if (mixes.isWeighted) columns.push_back({"Weighted error", true});
    columns.push_back({mixes.isWeighted ? "Published KLD, imatrix" : "Published KLD, no imatrix", true});
    columns.push_back({"Memory needed", true});
    columns.push_back({"Fits"});
    Table table(columns);
    for (std::size_t i = 0; i < mixes.rows.size(); ++i) {
        const MixRow& row = mixes.rows[i];
        const auto& need = comparison.needs[i];
        std::vector<std::string> cells = {quant::info(row.type).name, humanBytes(row.bytes),
                                          fmt::format("{:.2f}", row.bitsPerWeight),
                                          row.needsMatrix ? "needs imatrix" : percent(row.relativeError)};
        if (mixes.isWeighted) cells.push_back(percent(row.weightedError));
        cells.push_back(row.published ? fmt::format("{:.4f}", row.published->divergence) : "–");
        cells.push_back(need ? humanBytes(need->bytes) : "–");
        cells.push_back(std::string(need ? memory::verdictName(need->verdict) : "–") +
                        (isAdvised(comparison, i) ? ", recommended" : ""));
        table.add(std::move(cells));
    }
    table.print();
}

void printAdvice(const Comparison& comparison) {
    if (comparison.table.isQuantized)
        return fmt::print("\nThe model is already quantized and would lose more quality; no type is recommended.\n");
    if (!comparison.advice) return fmt::print("\nNo smaller quantization type fits; none is recommended.\n");
    const MixRow& row = comparison.table.rows[comparison.advice->row];
    const std::string error = percent(comparison.table.isWeighted ? row.weightedError : row.relativeError);
    const char* const name = quant::info(row.type).name;
    if (comparison.advice->why == MixAdvice::Why::Unnoticed)
        fmt::print("\nRecommended: {}, the smallest type that fits with a barely noticeable error ({}).\n", name, error);
    else fmt::print("\nRecommended: {}, the lowest error of the types that fit ({}).\n", name, error);
}

} // namespace

int compareMixes(const Context& context, const QuantizeOptions& options) {
    if (const auto valid = checkCompareOptions(options); !valid) return refuseUsage(valid.error().message());
    const auto comparison = compare(context, options);
    if (!comparison) return refuse(context, comparison.error(), options.in);
    if (context.json) {
        printComparisonJson(options, *comparison);
        return done;
    }
    printComparisonTable(*comparison);
    fmt::print("\nErrors over the whole model, {}; memory at a context length of {} tokens. Published: {}.\n",
               comparison->table.isExact ? "every row" : "samples of its rows", comparison->context, quant::publishedSource);
    printAdvice(*comparison);
    return done;
}

} // namespace wb::cli
