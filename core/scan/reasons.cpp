// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include <algorithm>

// Why a file has its verdict.
namespace wb::scan {
namespace {

bool isAbout(const DangerFinding& finding, const ScannedFile& file) {
    return finding.problem.file == file.path && finding.member == file.member;
}

// Whether a finding alone explains the verdict.
bool isExplained(const Danger& danger, const ScannedFile& file) {
    const auto explains = [&](const DangerFinding& finding) {
        if (!isAbout(finding, file)) return false;
        switch (file.verdict()) {
        case Verdict::Dangerous: return finding.problem.severity == Severity::Error;
        case Verdict::Suspicious: return finding.problem.severity >= Severity::Warning;
        default: return true;
        }
    };
    return file.verdict() == Verdict::Clean || std::ranges::any_of(danger.findings, explains);
}

// The first names of the file's own level, as they were called or referred to.
std::string dangerNames(const Danger& danger, std::size_t index) {
    constexpr std::size_t shown = 3;
    std::vector<std::string> names;
    for (const DangerousCall& call : danger.calls) {
        if (call.file != index || call.level != danger.files[index].level) continue;
        const std::string name = call.module + "." + call.name;
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > shown ? text + " …" : text;
}

Problem dangerReason(const Danger& danger, std::size_t index) {
    const ScannedFile& file = danger.files[index];
    const std::string name = file.member.empty() ? file.path : file.path + ": " + file.member;
    const std::string names = dangerNames(danger, index);
    const auto problem = [&](Severity severity, Reason rule, const char* sentence, std::vector<std::string> more = {}) {
        more.insert(more.begin(), name);
        return Problem{severity, rule, file.path, std::nullopt, sentence, std::move(more)};
    };
    if (file.level == DangerLevel::D && !names.empty())
        return problem(Severity::Error, "pickle.dangerous_code", WB_TEXT("{}: loading it reaches dangerous code: {}."), {names});
    if (file.level == DangerLevel::D)
        return problem(Severity::Error, "pickle.dangerous_code", WB_TEXT("{}: loading it reaches dangerous code."));
    if (file.level == DangerLevel::C && !names.empty())
        return problem(Severity::Warning, "pickle.unknown_code", WB_TEXT("{}: loading it reaches unknown code: {}."), {names});
    if (file.level == DangerLevel::C)
        return problem(Severity::Warning, "pickle.unknown_code", WB_TEXT("{}: loading it reaches unknown code."));
    if (file.isIncomplete && file.opcodes > 0)
        return problem(Severity::Warning, "pickle.incomplete",
                       WB_TEXT("{}: the pickle is truncated or invalid and cannot be followed to its end."));
    if (file.verdict() == Verdict::NotChecked)
        return problem(Severity::Note, unknownFormat,
                       WB_TEXT("{} is in no format that this program knows, so it was not checked."));
    return problem(Severity::Warning, "file.damaged",
                   WB_TEXT("{} is damaged or invalid, so the code that it would run is unknown."));
}

} // namespace

void giveReasons(Danger& danger) {
    for (std::size_t i = 0; i < danger.files.size(); ++i)
        if (!isExplained(danger, danger.files[i])) danger.findings.push_back({dangerReason(danger, i), danger.files[i].member});
}

} // namespace wb::scan
