// SPDX-License-Identifier: MIT
#include "app/cli/convert/quantize.h"

#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/problem_kinds.h"
#include "core/base/text.h"
#include "core/model/model_json.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace wb::cli {
namespace {

// A copied tensor has no error.
convert::TensorError outcomeError(const quantize::QuantizePlan& plan, const convert::Outcome& outcome, std::size_t i) {
    return plan.tensors[i].copied() ? convert::TensorError{0, 0.0, 1.0} : outcome.errors[i];
}

void writeTensor(JsonWriter& out, const quantize::QuantizePlan& plan, const convert::Outcome* outcome, std::size_t i) {
    const quantize::PlannedTensor& tensor = plan.tensors[i];
    out.newline();
    out.beginObject();
    out.key("name"), out.string(plan.model->tensors[tensor.source].name);
    out.key("from"), out.string(name(tensor.from));
    out.key("to"), out.string(name(tensor.to));
    out.key("bytes"), out.integer(tensor.bytes);
    std::optional<double> rmse;
    convert::TensorError error;
    if (outcome) {
        error = outcomeError(plan, *outcome, i);
        rmse = error.rmse;
    }
    numberOrNull(out, "rmse", rmse);
    numberOrNull(out, "rel_rmse", error.relativeRmse);
    numberOrNull(out, "cosine", error.cosine);
    out.endObject();
}

std::uint64_t sourceBytes(const quantize::QuantizePlan& plan) {
    std::uint64_t bytes = 0;
    for (const ModelFile& file : plan.model->files) bytes += file.bytes;
    return bytes;
}

std::string typeName(const quantize::QuantizePlan& plan) { return quant::targetName(plan.fileType, plan.copy); }

std::string shown(const std::optional<double>& value) { return value ? fmt::format("{:.4g}", *value) : "–"; }

std::string ruleText(const quant::TensorTypeRule& rule) { return fmt::format("{}={}", rule.pattern, name(rule.type)); }

void writeBudget(JsonWriter& out, const quantize::BudgetPlan& budget) {
    out.key("budget"), out.beginObject();
    out.key("error"), out.number(budget.error);
    out.key("exact"), out.boolean(budget.exact);
    out.key("stock");
    if (budget.stock) out.string(quant::info(budget.stock->type).name);
    else out.null();
    numberOrNull(out, "stock_error", budget.stock ? std::optional(budget.stockError) : std::nullopt);
    out.key("stock_bytes");
    if (budget.stock) out.integer(budget.stock->bytes);
    else out.null();
    out.key("rules"), out.beginArray();
    for (const quant::TensorTypeRule& rule : budget.rules) out.string(ruleText(rule));
    out.endArray();
    out.endObject();
}

void writeFiles(JsonWriter& out, const quantize::QuantizePlan& plan, const std::string& target) {
    const auto paths = quantize::targetPaths(plan, std::filesystem::path(target));
    out.key("files"), out.beginArray();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        out.beginObject();
        out.key("path"), out.string(io::pathText(paths[i]));
        out.key("bytes"), out.integer(plan.files[i].bytes);
        out.endObject();
    }
    out.endArray();
}

void printBudget(const quantize::BudgetPlan& budget) {
    fmt::print("\nThe same types as options of {}:\n", quant::info(budget.plan.fileType).name);
    for (const quant::TensorTypeRule& rule : budget.rules) fmt::print("  --tensor-type {}\n", shellWord(ruleText(rule)));
    if (!budget.stock) return;
    const double less = budget.stockError > 0 ? 100 * (1 - budget.error / budget.stockError) : 0;
    fmt::print("\n{} squared error: {:.4g}, {:.1f} % less than {} ({}).\n", budget.exact ? "Measured" : "Estimated", budget.error,
               less, quant::info(budget.stock->type).name, humanBytes(budget.stock->bytes));
}

void printProblems(const std::vector<Problem>& problems) {
    for (const ProblemKind& kind : groupProblems(problems)) {
        fmt::print("{}: {}", severityName(kind.first->severity), escapeControls(toUtf8(kind.first->message())));
        if (kind.count > 1) fmt::print(" And {} similar messages, which --json lists.", kind.count - 1);
        fmt::print("\n");
    }
}

} // namespace

void numberOrNull(JsonWriter& out, const char* key, const std::optional<double>& value) {
    out.key(key);
    if (value) out.number(*value);
    else out.null();
}

std::string quantizeJson(const QuantizeOptions& options, const QuantizeResult& result, const std::string& device) {
    const auto& [plan, budget, outcome, remarks] = result;
    std::string json;
    JsonWriter out([&json](std::string_view text) { json += text; });
    out.beginObject();
    out.key("in"), out.string(options.in);
    out.key("out"), out.string(options.out);
    out.key("type"), out.string(typeName(plan));
    out.key("bytes_in"), out.integer(sourceBytes(plan));
    out.key("bytes_out"), out.integer(plan.fileBytes());
    out.key("bits_per_weight"), out.number(plan.bitsPerWeight());
    numberOrNull(out, "seconds", outcome ? std::optional(outcome->seconds) : std::nullopt);
    out.key("device"), out.string(device);
    if (budget) writeBudget(out, *budget);
    writeFiles(out, plan, options.out);
    out.key("tensors"), out.beginArray();
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) writeTensor(out, plan, outcome, i);
    out.endArray();
    out.newline();
    out.key("problems"), out.beginArray();
    for (const Problem& problem : plan.problems) writeJson(out, problem);
    for (const Problem& remark : remarks) writeJson(out, remark);
    out.endArray();
    out.endObject();
    out.finish();
    return json;
}

void printQuantizeTables(const QuantizeOptions& options, const QuantizeResult& result, bool isQuiet) {
    const auto& [plan, budget, outcome, remarks] = result;
    Table table({{"Tensor"}, {"Source"}, {"To"}, {"Bytes", true}, {"RMSE", true}, {"Relative", true}, {"Cosine similarity", true}});
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        const quantize::PlannedTensor& tensor = plan.tensors[i];
        std::vector<std::string> cells = {escapeControls(plan.model->tensors[tensor.source].name),
                                          name(tensor.from),
                                          name(tensor.to),
                                          fmt::format("{}", tensor.bytes),
                                          "–",
                                          "–",
                                          "–"};
        if (outcome) {
            const convert::TensorError error = outcomeError(plan, *outcome, i);
            cells[4] = shown(error.rmse);
            cells[5] = shown(error.relativeRmse);
            cells[6] = shown(error.cosine);
        }
        table.add(std::move(cells));
    }
    if (!isQuiet) table.print();
    if (budget) printBudget(*budget);
    if (!isQuiet) fmt::print("\n");
    fmt::print("{} {} → {} ({:.4f} bits per weight)", outcome ? "Wrote" : "Would write", humanBytes(sourceBytes(plan)),
               humanBytes(plan.fileBytes()), plan.bitsPerWeight());
    if (outcome) fmt::print(" to {} in {:.2f} s", escapeControls(toUtf8(options.out)), outcome->seconds);
    fmt::print("\n");
    printProblems(plan.problems);
    printProblems(remarks);
}

} // namespace wb::cli
