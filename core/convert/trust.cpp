// SPDX-License-Identifier: MIT
#include "core/convert/trust.h"

#include "core/io/byte_source.h"
#include "core/scan/scan.h"

#include <algorithm>
#include <array>

namespace wb::convert {
namespace {

constexpr std::size_t namesInSentence = 3;

std::vector<std::string> dangerNames(const Danger& danger) {
    std::vector<std::string> names;
    for (const DangerLevel level : {DangerLevel::D, DangerLevel::C})
        for (const DangerousCall& call : danger.calls) {
            std::string name = call.module + "." + call.name;
            if (call.level == level && std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
        }
    return names;
}

std::optional<Problem> worstFinding(const Danger& danger) {
    const Problem* worst = nullptr;
    for (const DangerFinding& finding : danger.findings)
        if (finding.problem.severity != Severity::Note && (!worst || finding.problem.severity > worst->severity))
            worst = &finding.problem;
    return worst ? std::optional(*worst) : std::nullopt;
}

Danger dangerOfTexts(const std::filesystem::path& model) {
    Danger all;
    for (const std::filesystem::path& file : scan::filesWithCode(model)) {
        auto danger = scan::scanText(file);
        if (!danger || danger->level() < DangerLevel::C) continue;
        std::ranges::move(danger->files, std::back_inserter(all.files));
        std::ranges::move(danger->calls, std::back_inserter(all.calls));
        std::ranges::move(danger->findings, std::back_inserter(all.findings));
    }
    return all;
}

// The sentence for a cause that has no name.
const char* unnamedCause(const Confirmation& needed) {
    struct Cause {
        Reason finding;
        const char* sentence;
    };
    constexpr std::array causes = {
        Cause{"template.escape", WB_TEXT("Loading {} in its original program would access Python internals from its chat template. "
                                         "Only its tensors are read here; allow it if you trust the file.")},
        Cause{"folder.remote_code", WB_TEXT("Loading {} in its original program would run the Python code named by its auto_map. "
                                            "Only its tensors are read here; allow it if you trust the files.")},
        Cause{"keras.lambda", WB_TEXT("Loading {} in its original program would run the code of its Lambda layer. Only its tensors "
                                      "are read here; allow it if you trust the file.")}};
    for (const Cause& cause : causes)
        if (needed.finding && needed.finding->code == cause.finding) return cause.sentence;
    return WB_TEXT("Loading {} in its original program would run code that could not be followed. Only its tensors are read here; "
                   "allow it if you trust the file.");
}

} // namespace

std::optional<Confirmation> dangerConfirmation(const std::string& source, const Danger& danger) {
    if (danger.level() < DangerLevel::C) return std::nullopt;
    return Confirmation{source, danger.level(), dangerNames(danger), worstFinding(danger)};
}

std::optional<Confirmation> confirmationFor(const Model& model) {
    const bool isPickled = model.danger && model.danger->level() >= DangerLevel::C;
    return dangerConfirmation(io::baseName(model.path), isPickled ? *model.danger : dangerOfTexts(model.path));
}

TextsJudged judgeTexts(const std::filesystem::path& model) {
    TextsJudged judged;
    for (const std::filesystem::path& file : scan::filesWithCode(model)) {
        const auto danger = scan::scanText(file);
        if (!danger) judged.unjudged.push_back(file);
        else if (auto needed = dangerConfirmation(io::pathText(file), *danger)) judged.needed.push_back(std::move(*needed));
    }
    return judged;
}

Result<std::vector<Confirmation>> judgeByScan(std::span<const std::filesystem::path> files, const Progress& progress) {
    std::vector<Confirmation> all;
    for (std::size_t i = 0; i < files.size(); ++i) {
        WB_TRY(progress.at(i, files.size()));
        scan::Options options;
        options.progress = files.size() == 1 ? progress : Progress{progress.stop, {}};
        const auto danger = scan::scan(files[i], options);
        if (!danger && danger.error().code == ErrorCode::Canceled) return std::unexpected(danger.error());
        if (!danger) continue;
        if (auto needed = dangerConfirmation(io::pathText(files[i]), *danger)) all.push_back(std::move(*needed));
    }
    return all;
}

Result<void> requireTrust(const Model& model, bool isTrusted) {
    if (isTrusted) return {};
    const auto needed = confirmationFor(model);
    if (!needed) return {};
    if (needed->names.empty())
        return fail(ErrorCode::Unsupported, untrustedSource, About{needed->source}, unnamedCause(*needed), needed->source);
    std::string names;
    for (std::size_t i = 0; i < std::min(needed->names.size(), namesInSentence); ++i)
        names += (i == 0 ? "" : ", ") + needed->names[i];
    if (needed->names.size() > namesInSentence) names += " …";
    return fail(ErrorCode::Unsupported, untrustedSource, About{needed->source},
                WB_TEXT("Loading {} in its original program would call {}. Only its tensors are read here; allow it if you trust "
                        "the file."),
                needed->source, names);
}

} // namespace wb::convert
