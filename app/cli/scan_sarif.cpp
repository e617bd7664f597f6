// SPDX-License-Identifier: MIT
#include "app/cli/scan.h"

#include "core/base/json_writer.h"

#include <set>

namespace wb::cli {
namespace {

void writeText(JsonWriter& out, const char* key, std::string_view text) {
    out.key(key);
    out.string(text);
}

void writeResult(JsonWriter& out, const char* rule, const char* level, const std::string& message, const std::string& file,
                 std::uint64_t offset) {
    out.newline();
    out.beginObject();
    writeText(out, "ruleId", rule);
    writeText(out, "level", level);
    out.key("message");
    out.beginObject();
    writeText(out, "text", message);
    out.endObject();
    out.key("locations");
    out.beginArray();
    out.beginObject();
    out.key("physicalLocation");
    out.beginObject();
    out.key("artifactLocation");
    out.beginObject();
    writeText(out, "uri", file);
    out.endObject();
    out.key("region");
    out.beginObject();
    out.key("byteOffset");
    out.integer(offset);
    out.endObject();
    out.endObject();
    out.endObject();
    out.endArray();
    out.endObject();
}

const char* ruleOf(DangerLevel level) { return level == DangerLevel::D ? "pickle.dangerous_code" : "pickle.unknown_code"; }

const char* levelOf(Severity severity) {
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    default: return "note";
    }
}

void writeRules(JsonWriter& out, const Danger& danger) {
    std::set<std::string> rules;
    for (const DangerousCall& call : danger.calls)
        if (call.level > DangerLevel::B) rules.insert(ruleOf(call.level));
    for (const DangerFinding& finding : danger.findings) rules.insert(finding.problem.code.id());
    out.key("rules");
    out.beginArray();
    for (const std::string& rule : rules) {
        out.beginObject();
        writeText(out, "id", rule);
        out.endObject();
    }
    out.endArray();
}

} // namespace

std::string sarifOf(const Danger& danger) {
    std::string text;
    JsonWriter out([&text](std::string_view part) { text += part; });
    out.beginObject();
    writeText(out, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    writeText(out, "version", "2.1.0");
    out.key("runs");
    out.beginArray();
    out.beginObject();
    out.key("tool");
    out.beginObject();
    out.key("driver");
    out.beginObject();
    writeText(out, "name", "Weighbridge");
    writeText(out, "version", WEIGHBRIDGE_VERSION);
    writeRules(out, danger);
    out.endObject();
    out.endObject();
    out.key("results");
    out.beginArray();
    for (const DangerousCall& call : danger.calls) {
        if (call.level < DangerLevel::C) continue;
        const ScannedFile& file = danger.files[call.file];
        const std::string what = "Loading " + (file.member.empty() ? file.path : file.member) + " reaches " + call.module + "." +
                                 call.name + call.arguments + " (" + call.how + ").";
        writeResult(out, ruleOf(call.level), call.level == DangerLevel::D ? "error" : "warning", what, file.path, call.position);
    }
    for (const DangerFinding& finding : danger.findings)
        writeResult(out, finding.problem.code.id(), levelOf(finding.problem.severity), finding.problem.message(),
                    finding.problem.file, finding.problem.offset.value_or(0));
    out.endArray();
    out.endObject();
    out.endArray();
    out.endObject();
    out.finish();
    return text;
}

} // namespace wb::cli
