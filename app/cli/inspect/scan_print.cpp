// SPDX-License-Identifier: MIT
#include "app/cli/inspect/scan.h"

#include "app/cli/table.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/model/model_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

namespace wb::cli {
namespace {

void writeMember(JsonWriter& out, const std::string& member) {
    out.key("member");
    if (member.empty()) out.null();
    else out.string(member);
}

void writeText(JsonWriter& out, const char* key, std::string_view text) {
    out.key(key);
    out.string(text);
}

void writeDisassembly(JsonWriter& out, const ScannedFile& file) {
    out.key("disassembly");
    out.beginArray();
    for (const ShownOpcode& line : file.disassembly) {
        out.newline();
        out.beginObject();
        out.key("position");
        out.integer(line.position);
        writeText(out, "opcode", line.name);
        out.key("argument");
        if (line.argument.empty()) out.null();
        else out.string(line.argument);
        out.endObject();
    }
    out.endArray();
}

void writeFile(JsonWriter& out, const ScannedFile& file, bool disassembles) {
    out.newline();
    out.beginObject();
    writeText(out, "path", file.path);
    writeMember(out, file.member);
    out.key("format");
    if (file.format.empty()) out.null();
    else out.string(file.format);
    writeText(out, "verdict", verdictName(file.verdict()));
    writeText(out, "kind", kindName(file));
    out.key("incomplete");
    out.boolean(file.isIncomplete || file.isUnchecked);
    out.key("why");
    if (file.why.empty()) out.null();
    else out.string(file.why);
    out.key("unscannable");
    out.boolean(file.isUnscannable);
    out.key("streams");
    out.integer(file.streams);
    out.key("opcodes");
    out.integer(file.opcodes);
    out.key("globals");
    out.beginArray();
    for (const DangerousName& name : file.globals) {
        out.beginObject();
        writeText(out, "module", name.module);
        writeText(out, "name", name.name);
        writeText(out, "level", levelName(name.level));
        out.key("position");
        out.integer(name.position);
        out.endObject();
    }
    out.endArray();
    out.key("weights_only_loads");
    if (file.weightsOnlyLoads < 0) out.null();
    else out.boolean(file.weightsOnlyLoads == 1);
    if (disassembles) writeDisassembly(out, file);
    out.endObject();
}

void writeCall(JsonWriter& out, const Danger& danger, const DangerousCall& call) {
    const ScannedFile& file = danger.files[call.file];
    out.newline();
    out.beginObject();
    writeText(out, "file", file.path);
    writeMember(out, file.member);
    out.key("stream");
    out.integer(call.stream);
    out.key("position");
    out.integer(call.position);
    writeText(out, "module", call.module);
    writeText(out, "name", call.name);
    writeText(out, "level", levelName(call.level));
    writeText(out, "how", call.how);
    writeText(out, "arguments", call.arguments);
    out.key("beyond_stop");
    out.boolean(call.isBeyondStop);
    out.endObject();
}

const char* findingLevel(Severity severity) {
    switch (severity) {
    case Severity::Error: return "dangerous";
    case Severity::Warning: return "suspicious";
    default: return "note";
    }
}

void writeFinding(JsonWriter& out, const DangerFinding& finding) {
    out.newline();
    out.beginObject();
    writeText(out, "rule", finding.problem.code.id());
    writeText(out, "level", findingLevel(finding.problem.severity));
    writeText(out, "file", finding.problem.file);
    writeMember(out, finding.member);
    writeText(out, "where", problemPlace(finding.problem));
    writeText(out, "message", finding.problem.message());
    out.endObject();
}

const char* levelText(DangerLevel level) { return level == DangerLevel::D ? "D, dangerous" : "C, unknown"; }

// The verdict of each file of a folder, the worst of its members, and how many have which.
void printFiles(const Danger& danger) {
    struct Row {
        Verdict verdict = Verdict::Clean;
        std::string format, why;
    };
    std::map<std::string, Row> rows;
    for (const ScannedFile& file : danger.files) {
        Row& row = rows[file.path];
        row.verdict = std::max(row.verdict, file.verdict());
        if (file.member.empty() && !file.format.empty()) row.format = file.format;
        if (file.member.empty()) row.why = file.why;
    }
    for (const DangerFinding& finding : danger.findings)
        if (const auto row = rows.find(finding.problem.file); row != rows.end())
            row->second.verdict = std::max(row->second.verdict, severityVerdict(finding.problem.severity));
    std::array<std::size_t, 4> counts{};
    Table table({{"Result"}, {"File"}, {"Format"}, {"Checked as"}});
    for (const auto& [path, row] : rows) {
        ++counts[static_cast<std::size_t>(row.verdict)];
        table.add({verdictName(row.verdict), escapeControls(path), row.format, row.why});
    }
    fmt::print("\n");
    table.print();
    fmt::print("{} files: {} clean, {} not checked, {} suspicious, {} dangerous\n", rows.size(), counts[0], counts[1], counts[2],
               counts[3]);
}

// The calls and names of levels C and D.
void printCalls(const Danger& danger) {
    Table table({{"Level"}, {"Name"}, {"Usage"}, {"Byte", true}, {"Arguments"}, {"Location"}});
    bool isEmpty = true;
    for (const DangerousCall& call : danger.calls) {
        if (call.level < DangerLevel::C) continue;
        const ScannedFile& file = danger.files[call.file];
        const std::string where = file.member.empty() ? file.path : file.path + ": " + file.member;
        table.add({levelText(call.level), escapeControls(call.module + "." + call.name),
                   std::string(call.how) + (call.isBeyondStop ? " (after the loader failed)" : ""),
                   fmt::format("{}", call.position), escapeControls(call.arguments), escapeControls(where)});
        isEmpty = false;
    }
    if (isEmpty) return;
    fmt::print("\n");
    table.print();
    fmt::print("Levels: {}.\n", levelsText);
}

// The rule by which a single file is clean; empty where a reader checked it.
std::string onlyRule(const Danger& danger) { return danger.files.size() == 1 ? danger.files.front().why : std::string(); }

// The sentence of the worst level; never the word "safe".
std::string levelSentence(const Danger& danger) {
    std::uint64_t opcodes = 0;
    for (const ScannedFile& file : danger.files) opcodes += file.opcodes;
    switch (danger.verdict()) {
    case Verdict::Clean:
        if (const std::string why = onlyRule(danger); !why.empty()) return "Nothing in it is loaded as code (" + why + ").";
        if (danger.level() == DangerLevel::A && opcodes == 0)
            return "It contains no pickle; it only builds tensors and plain data.";
        if (danger.level() == DangerLevel::A)
            return fmt::format("It can only build tensors and plain data (verified over {} opcodes).", opcodes);
        return "Loading it builds objects of known classes, which do not run code from the file.";
    case Verdict::NotChecked: return "It was not checked which code loading it would run.";
    case Verdict::Suspicious:
        return danger.level() == DangerLevel::C ? "Loading it runs unknown code:" : "Some parts could not be checked.";
    default: return "Loading it runs dangerous code:";
    }
}

} // namespace

void printScanJson(const Danger& danger, const std::string& path, bool disassembles) {
    JsonWriter out([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
    out.beginObject();
    writeText(out, "path", toUtf8(path));
    writeText(out, "verdict", verdictName(danger.verdict()));
    writeText(out, "kind", kindName(danger));
    out.key("incomplete");
    out.boolean(danger.isIncomplete());
    out.key("not_checked");
    out.integer(danger.notChecked());
    out.newline();
    out.key("files");
    out.beginArray();
    for (const ScannedFile& file : danger.files) writeFile(out, file, disassembles);
    out.endArray();
    out.newline();
    out.key("calls");
    out.beginArray();
    for (const DangerousCall& call : danger.calls) writeCall(out, danger, call);
    out.endArray();
    out.newline();
    out.key("findings");
    out.beginArray();
    for (const DangerFinding& finding : danger.findings) writeFinding(out, finding);
    out.endArray();
    out.endObject();
    out.finish();
}

void printScanText(const Danger& danger, const std::string& path, bool isQuiet) {
    fmt::print("{}: {} ({})\n{}\n", escapeControls(toUtf8(path)), verdictName(danger.verdict()), kindName(danger),
               levelSentence(danger));
    if (!isQuiet) printCalls(danger);
    if (!isQuiet && danger.isFolder) printFiles(danger);
    for (const ScannedFile& file : danger.files) {
        if (file.disassembly.empty()) continue;
        const std::string where = file.member.empty() ? file.path : file.path + ": " + file.member;
        fmt::print("\n{}\n", escapeControls(toUtf8(where)));
        for (const ShownOpcode& line : file.disassembly)
            fmt::print("{:>10}  {:<18} {}\n", line.position, line.name, escapeControls(line.argument));
    }
    std::set<std::string> shown;
    for (const DangerFinding& finding : danger.findings) {
        const std::string line = std::string(findingLevel(finding.problem.severity)) + ": " + finding.problem.message();
        if (shown.insert(line).second) fmt::print("{}\n", escapeControls(toUtf8(line)));
    }
}

} // namespace wb::cli
