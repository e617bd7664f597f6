// SPDX-License-Identifier: MIT
#include "core/model/danger.h"

#include <algorithm>
#include <iterator>

namespace wb {
namespace {

// Files whose content could not be judged at all, where no code is worse.
bool isMalformed(const ScannedFile& file) { return (file.isMalformed || file.isUnscannable) && file.level < DangerLevel::C; }

} // namespace

Verdict severityVerdict(Severity severity) {
    switch (severity) {
    case Severity::Error: return Verdict::Dangerous;
    case Severity::Warning: return Verdict::Suspicious;
    default: return Verdict::Clean;
    }
}

const char* levelName(DangerLevel level) {
    static constexpr const char* names[] = {"A", "B", "C", "D"};
    return names[static_cast<std::size_t>(level)];
}

const char* verdictName(Verdict verdict) {
    static constexpr const char* names[] = {"clean", "not checked", "suspicious", "dangerous"};
    return names[static_cast<std::size_t>(verdict)];
}

Verdict ScannedFile::verdict() const {
    if (level == DangerLevel::D) return Verdict::Dangerous;
    if (level == DangerLevel::C || isIncomplete || isUnscannable || isMalformed) return Verdict::Suspicious;
    return isUnchecked ? Verdict::NotChecked : Verdict::Clean;
}

Verdict Danger::verdict() const {
    Verdict worst = Verdict::Clean;
    for (const ScannedFile& file : files) worst = std::max(worst, file.verdict());
    for (const DangerFinding& finding : findings) worst = std::max(worst, severityVerdict(finding.problem.severity));
    const bool passesOver = isFolder && notChecked() < files.size();
    return worst == Verdict::NotChecked && passesOver ? Verdict::Clean : worst;
}

DangerLevel Danger::level() const {
    DangerLevel worst = DangerLevel::A;
    for (const ScannedFile& file : files) worst = std::max(worst, file.level);
    return worst;
}

bool Danger::isIncomplete() const {
    return std::ranges::any_of(files, [](const ScannedFile& file) { return file.isIncomplete || file.isUnchecked; });
}

std::size_t Danger::notChecked() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(files, [](const ScannedFile& file) { return file.verdict() == Verdict::NotChecked; }));
}

const char* kindName(DangerKind kind) {
    static constexpr const char* names[] = {"tensors only",   "known libraries", "unknown code",
                                            "dangerous code", "malformed",       "unknown"};
    return names[static_cast<std::size_t>(kind)];
}

DangerKind ScannedFile::kind() const {
    if (wb::isMalformed(*this)) return DangerKind::Malformed;
    if (verdict() == Verdict::NotChecked) return DangerKind::NotChecked;
    switch (level) {
    case DangerLevel::A: return isIncomplete ? DangerKind::UnknownCode : DangerKind::TensorsOnly;
    case DangerLevel::B: return isIncomplete ? DangerKind::UnknownCode : DangerKind::KnownLibraries;
    case DangerLevel::C: return DangerKind::UnknownCode;
    default: return DangerKind::DangerousCode;
    }
}

DangerKind Danger::kind() const {
    if (verdict() == Verdict::Dangerous) return DangerKind::DangerousCode;
    const bool isBroken = std::ranges::any_of(files, wb::isMalformed) && level() < DangerLevel::C;
    if (isBroken) return DangerKind::Malformed;
    if (verdict() == Verdict::NotChecked) return DangerKind::NotChecked;
    const ScannedFile* worst = nullptr;
    for (const ScannedFile& file : files)
        if (file.verdict() == Verdict::NotChecked) continue;
        else if (worst == nullptr || file.level > worst->level || (file.level == worst->level && file.isIncomplete)) worst = &file;
    return worst != nullptr ? worst->kind() : DangerKind::TensorsOnly;
}

void append(Danger& all, Danger one) {
    const auto first = static_cast<std::uint32_t>(all.files.size());
    for (DangerousCall& call : one.calls) call.file += first;
    std::ranges::move(one.files, std::back_inserter(all.files));
    std::ranges::move(one.calls, std::back_inserter(all.calls));
    std::ranges::move(one.findings, std::back_inserter(all.findings));
}

} // namespace wb
