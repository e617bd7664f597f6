// SPDX-License-Identifier: MIT
#include "core/model/danger.h"

#include <algorithm>

namespace wb {
namespace {

Verdict verdictOf(const DangerFinding& finding) {
    switch (finding.problem.severity) {
    case Severity::Error: return Verdict::Dangerous;
    case Severity::Warning: return Verdict::Suspicious;
    default: return Verdict::Clean;
    }
}

// Files whose content could not be judged at all, where no code is worse.
bool isMalformed(const ScannedFile& file) { return (file.isMalformed || file.isUnscannable) && file.level < DangerLevel::C; }

} // namespace

const char* levelName(DangerLevel level) {
    static constexpr const char* names[] = {"A", "B", "C", "D"};
    return names[static_cast<std::size_t>(level)];
}

const char* verdictName(Verdict verdict) {
    static constexpr const char* names[] = {"clean", "suspicious", "dangerous"};
    return names[static_cast<std::size_t>(verdict)];
}

Verdict ScannedFile::verdict() const {
    if (level == DangerLevel::D) return Verdict::Dangerous;
    return level == DangerLevel::C || isIncomplete || isUnscannable || isMalformed ? Verdict::Suspicious : Verdict::Clean;
}

Verdict Danger::verdict() const {
    Verdict worst = Verdict::Clean;
    for (const ScannedFile& file : files) worst = std::max(worst, file.verdict());
    for (const DangerFinding& finding : findings) worst = std::max(worst, verdictOf(finding));
    return worst;
}

DangerLevel Danger::level() const {
    DangerLevel worst = DangerLevel::A;
    for (const ScannedFile& file : files) worst = std::max(worst, file.level);
    return worst;
}

bool Danger::isIncomplete() const { return std::ranges::any_of(files, &ScannedFile::isIncomplete); }

const char* kindName(const ScannedFile& file) {
    if (wb::isMalformed(file)) return "malformed";
    switch (file.level) {
    case DangerLevel::A: return file.isIncomplete ? "unknown code" : "tensors only";
    case DangerLevel::B: return file.isIncomplete ? "unknown code" : "known libraries";
    case DangerLevel::C: return "unknown code";
    default: return "dangerous code";
    }
}

const char* kindName(const Danger& danger) {
    if (danger.verdict() == Verdict::Dangerous) return "dangerous code";
    const bool isBroken = std::ranges::any_of(danger.files, wb::isMalformed) && danger.level() < DangerLevel::C;
    if (isBroken) return "malformed";
    const ScannedFile* worst = nullptr;
    for (const ScannedFile& file : danger.files)
        if (worst == nullptr || file.level > worst->level || (file.level == worst->level && file.isIncomplete)) worst = &file;
    return worst != nullptr ? kindName(*worst) : "tensors only";
}

} // namespace wb
