// SPDX-License-Identifier: MIT
#include "app/cli/inspect/verify.h"

#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/model/model_json.h"

#include <fmt/format.h>

#include <cstdio>

namespace wb::cli {
namespace {

void writeText(JsonWriter& out, const char* key, std::string_view text) {
    out.key(key);
    if (text.empty()) out.null();
    else out.string(text);
}

void writeTruth(JsonWriter& out, const char* key, std::optional<bool> value) {
    out.key(key);
    if (value) out.boolean(*value);
    else out.null();
}

// The hash that was expected and its source are all null or all set.
void writeFile(JsonWriter& out, const verify::CheckedFile& file) {
    out.newline();
    out.beginObject();
    out.key("path");
    out.string(file.name);
    out.key("bytes");
    out.integer(file.bytes);
    writeText(out, "sha256", file.sha256);
    writeText(out, "expected", file.expected);
    writeText(out, "source", verify::hashSourceName(file.source));
    writeTruth(out, "ok", file.isGood);
    out.endObject();
}

void writeCheck(JsonWriter& out, const verify::Check& check) {
    out.newline();
    out.beginObject();
    out.key("rule");
    out.string(check.problem.code.id());
    out.key("where");
    out.string(problemPlace(check.problem));
    out.key("ok");
    out.boolean(check.isPassed);
    out.key("message");
    out.string(check.problem.message());
    out.endObject();
}

void writeValues(JsonWriter& out, const std::optional<verify::ValueCounts>& values) {
    out.key("tensors");
    if (!values) return out.null();
    out.beginObject();
    const std::pair<const char*, std::uint64_t> counts[] = {{"checked", values->checked},
                                                            {"nan", values->withNan},
                                                            {"inf", values->withInfinity},
                                                            {"unavailable", values->unavailable}};
    for (const auto& [key, count] : counts) {
        out.key(key);
        out.integer(count);
    }
    out.endObject();
}

const char* checkResult(const verify::Check& check) {
    if (check.isPassed) return "ok";
    return check.problem.severity == Severity::Error ? "damaged" : "suspicious";
}

void printFiles(const verify::Report& report) {
    Table table({{"Result"}, {"File"}, {"Bytes", true}, {"SHA-256"}, {"Expected by"}});
    bool isEmpty = true;
    for (const verify::CheckedFile& file : report.files) {
        if (file.sha256.empty() && file.expected.empty()) continue;
        table.add({!file.isGood   ? ""
                   : *file.isGood ? "ok"
                                  : "damaged",
                   escapeControls(file.name), fmt::format("{}", file.bytes), file.sha256.empty() ? "not computed" : file.sha256,
                   verify::hashSourceName(file.source)});
        isEmpty = false;
    }
    if (isEmpty) return;
    fmt::print("\n");
    table.print();
}

} // namespace

void printVerifyJson(const verify::Report& report, const std::string& path) {
    JsonWriter out([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    out.beginObject();
    out.key("path");
    out.string(toUtf8(path));
    out.key("verdict");
    out.string(verify::verdictName(report.verdict()));
    out.newline();
    out.key("files");
    out.beginArray();
    for (const verify::CheckedFile& file : report.files) writeFile(out, file);
    out.endArray();
    out.newline();
    out.key("checks");
    out.beginArray();
    for (const verify::Check& check : report.checks) writeCheck(out, check);
    out.endArray();
    out.newline();
    writeValues(out, report.values);
    writeTruth(out, "resumable", report.isResumable);
    out.endObject();
    out.finish();
}

void printVerifyText(const verify::Report& report, const std::string& path) {
    fmt::print("{}: {}\n\n", escapeControls(toUtf8(path)), verify::verdictName(report.verdict()));
    for (const verify::Check& check : report.checks)
        fmt::print("{:<10}  {}\n", checkResult(check), escapeControls(toUtf8(check.problem.message())));
    if (report.values)
        fmt::print("{:<10}  {} weight tensors checked, {} with NaN, {} with infinite values, {} unavailable\n", "values",
                   report.values->checked, report.values->withNan, report.values->withInfinity, report.values->unavailable);
    printFiles(report);
}

} // namespace wb::cli
