// SPDX-License-Identifier: MIT
#include "core/scan/sarif.h"

#include "core/base/json_writer.h"
#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

// SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"): an artifact for each file and for each member of an archive
// inside it, in whose bytes the offsets count.
namespace wb::scan {
namespace {

struct SarifResult {
    std::string rule;
    const char* level = "warning";
    std::string message;
    std::size_t artifact = 0;
    std::optional<std::uint64_t> offset;
};

struct SarifArtifact {
    std::string name;
    std::optional<std::size_t> parent; // the file that a member is in
};

struct RuleFamily {
    std::string_view prefix;
    const char* description;
};

constexpr RuleFamily ruleFamilies[] = {
    {"pickle.dangerous_code", "Loading the file would reach dangerous code."},
    {"pickle.unknown_code", "Loading the file would reach code that is not known."},
    {"pickle.", "A pickle contains data that loaders reject, skip or do not load by themselves."},
    {"file.damaged", "The file is damaged or invalid, so the code that loading it would run is unknown."},
    {"file.unknown_format", "The file is in no known format and was not checked."},
    {"file.not_read", "The file is in a format that is recognized but not read, and was not checked."},
    {"file.not_a_model", "The file is text or source code and was not checked."},
    {"file.", "The file is not model data."},
    {"yaml.", "A YAML file names Python objects that an unsafe loader creates."},
    {"torch.package", "The archive contains Python code that runs when something is loaded from it."},
    {"zip.", "The archive is ambiguous or corrupted."},
    {"tar.", "The archive is damaged or holds links."},
    {"archive.", "The archive cannot be fully scanned."},
    {"path.", "A path points outside its folder (path traversal)."},
    {"npy.", "An array holds Python objects, which are a pickle."},
    {"keras.", "A configuration contains code or imports."},
    {"folder.", "The folder contains Python code that runs with trust_remote_code."},
    {"template.", "A chat template does more than format messages."},
    {"metadata.", "The file contains secrets."},
    {"tensorflow.", "The graph accesses resources outside the model."},
};

const char* ruleDescription(std::string_view rule) {
    const auto found = std::ranges::find_if(ruleFamilies, [&](const RuleFamily& one) { return rule.starts_with(one.prefix); });
    return found == std::end(ruleFamilies) ? "The file does not match its declared format." : found->description;
}

// A path as a URI reference (RFC 3986): "/" parts it, and all but unreserved characters are written in hexadecimal.
std::string uriFromPath(std::string_view path) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                             std::string_view("-._~/").find(c) != std::string_view::npos;
        if (isPlain) out += c;
        else (out += '%', out += digits[byte >> 4]) += digits[byte & 15];
    }
    return out;
}

class SarifLog {
public:
    explicit SarifLog(const Danger& danger) {
        for (const DangerousCall& call : danger.calls)
            if (call.level > DangerLevel::B) take(danger.files[call.file], call);
        // Calls say the same more exactly, with their places.
        std::set<std::size_t> called;
        for (const SarifResult& result : m_results) called.insert(result.artifact);
        for (const DangerFinding& finding : danger.findings) {
            const Reason rule = finding.problem.code;
            const bool isOfCalls = rule == Reason("pickle.dangerous_code") || rule == Reason("pickle.unknown_code");
            if (!isOfCalls || !called.contains(artifactFromFile(finding.problem.file, finding.member))) take(finding);
        }
        for (const SarifResult& result : m_results) m_rules.emplace(result.rule, 0);
        std::size_t index = 0;
        for (auto& rule : m_rules) rule.second = index++;
    }

    void write(JsonWriter& out, std::string_view version) const;

private:
    std::size_t artifactFromFile(const std::string& file, const std::string& member) {
        const auto [found, isNew] = m_places.try_emplace({file, member}, 0);
        if (!isNew) return found->second;
        std::optional<std::size_t> parent;
        if (!member.empty()) parent = artifactFromFile(file, "");
        m_artifacts.push_back({member.empty() ? uriFromPath(file) : "/" + uriFromPath(member), parent});
        return m_places[{file, member}] = m_artifacts.size() - 1;
    }

    void take(const ScannedFile& file, const DangerousCall& call) {
        const bool isDangerous = call.level == DangerLevel::D;
        m_results.push_back({isDangerous ? "pickle.dangerous_code" : "pickle.unknown_code", isDangerous ? "error" : "warning",
                             "Loading " + (file.member.empty() ? file.path : file.member) + " reaches " + call.module + "." +
                                 call.name + call.arguments + " (" + call.how + ").",
                             artifactFromFile(file.path, file.member), call.position});
    }
    void take(const DangerFinding& finding) {
        const Severity severity = finding.problem.severity;
        m_results.push_back({finding.problem.code.id(),
                             severity == Severity::Error     ? "error"
                             : severity == Severity::Warning ? "warning"
                                                             : "note",
                             finding.problem.message(), artifactFromFile(finding.problem.file, finding.member),
                             finding.problem.offset});
    }

    void writeRules(JsonWriter& out) const;
    void writeArtifacts(JsonWriter& out) const;
    void writeResult(JsonWriter& out, const SarifResult& result) const;

    std::vector<SarifResult> m_results;
    std::vector<SarifArtifact> m_artifacts;
    std::map<std::pair<std::string, std::string>, std::size_t> m_places;
    std::map<std::string, std::size_t> m_rules; // with their places in the list of rules
};

void putText(JsonWriter& out, const char* key, std::string_view text) {
    out.key(key);
    out.string(toUtf8(text));
}

void putNumber(JsonWriter& out, const char* key, std::uint64_t number) {
    out.key(key);
    out.integer(number);
}

void putMessage(JsonWriter& out, const char* key, std::string_view text) {
    out.key(key);
    out.beginObject();
    putText(out, "text", text);
    out.endObject();
}

void SarifLog::writeRules(JsonWriter& out) const {
    out.key("rules");
    out.beginArray();
    for (const auto& [rule, index] : m_rules) {
        out.newline();
        out.beginObject();
        putText(out, "id", rule);
        putMessage(out, "shortDescription", ruleDescription(rule));
        out.endObject();
    }
    out.endArray();
}

void SarifLog::writeArtifacts(JsonWriter& out) const {
    out.key("artifacts");
    out.beginArray();
    for (const SarifArtifact& artifact : m_artifacts) {
        out.newline();
        out.beginObject();
        out.key("location");
        out.beginObject();
        putText(out, "uri", artifact.name);
        out.endObject();
        if (artifact.parent) putNumber(out, "parentIndex", *artifact.parent);
        out.endObject();
    }
    out.endArray();
}

void SarifLog::writeResult(JsonWriter& out, const SarifResult& result) const {
    out.newline();
    out.beginObject();
    putText(out, "ruleId", result.rule);
    putNumber(out, "ruleIndex", m_rules.at(result.rule));
    putText(out, "level", result.level);
    putMessage(out, "message", result.message);
    out.key("locations");
    out.beginArray();
    out.beginObject();
    out.key("physicalLocation");
    out.beginObject();
    out.key("artifactLocation");
    out.beginObject();
    putText(out, "uri", m_artifacts[result.artifact].name);
    putNumber(out, "index", result.artifact);
    out.endObject();
    if (result.offset) {
        out.key("region");
        out.beginObject();
        putNumber(out, "byteOffset", *result.offset);
        putNumber(out, "byteLength", 1);
        out.endObject();
    }
    out.endObject();
    out.endObject();
    out.endArray();
    out.endObject();
}

void SarifLog::write(JsonWriter& out, std::string_view version) const {
    out.beginObject();
    out.key("tool");
    out.beginObject();
    out.key("driver");
    out.beginObject();
    putText(out, "name", "Weighbridge");
    putText(out, "version", version);
    writeRules(out);
    out.endObject();
    out.endObject();
    writeArtifacts(out);
    out.key("results");
    out.beginArray();
    for (const SarifResult& result : m_results) writeResult(out, result);
    out.endArray();
    out.endObject();
}

} // namespace

std::string dangerSarif(const Danger& danger, std::string_view version) {
    std::string text;
    JsonWriter out([&text](std::string_view part) { text += part; });
    out.beginObject();
    putText(out, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    putText(out, "version", "2.1.0");
    out.key("runs");
    out.beginArray();
    SarifLog(danger).write(out, version);
    out.endArray();
    out.endObject();
    out.finish();
    return text;
}

} // namespace wb::scan
