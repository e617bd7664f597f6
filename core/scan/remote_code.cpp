// SPDX-License-Identifier: MIT
#include "core/scan/examine.h"

#include <algorithm>
#include <map>
#include <set>

// Python files that are part of a model.
namespace wb::scan {
namespace {

std::string folderFromPath(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// The file of a module of a folder: "modeling_x", or ".modeling_x" as a file next to it imports it.
std::string fileFromFolder(const std::string& folder, std::string module) {
    module.erase(0, std::min(module.find_first_not_of('.'), module.size()));
    std::ranges::replace(module, '.', '/');
    return folder + module + ".py";
}

// Modules of the same folder that a file of the folder imports, or that a configuration names.
std::vector<std::string> fileModules(const ScannedFile& file) {
    std::vector<std::string> modules;
    for (const DangerousName& name : file.globals) {
        const bool isRelative = name.module.starts_with('.');
        if (file.format != "python" || isRelative) modules.push_back(name.module);
        if (isRelative && name.module.find_first_not_of('.') == std::string::npos) modules.push_back("." + name.name);
    }
    return modules;
}

} // namespace

void takeAsCode(Danger& danger, std::size_t index, Reason rule) {
    ScannedFile& file = danger.files[index];
    if (!file.isUnchecked) return; // taken already
    file.isUnchecked = false;
    file.level = DangerLevel::C;
    std::string names;
    for (const DangerousName& name : file.globals) {
        file.level = std::max(file.level, name.level);
        if (name.level < DangerLevel::D) continue;
        const std::string path = name.name.empty() ? name.module : name.module + "." + name.name;
        names += (names.empty() ? "" : ", ") + path;
        danger.calls.push_back(
            {static_cast<std::uint32_t>(index), 0, name.position, name.module, name.name, name.level, "import", "", false});
    }
    std::erase_if(danger.findings, [&](const DangerFinding& finding) {
        return finding.problem.code == notAModel && finding.problem.file == file.path && finding.member == file.member;
    });
    const std::string name = file.member.empty() ? file.path : file.path + ": " + file.member;
    const bool isDangerous = file.level == DangerLevel::D;
    Problem problem{isDangerous ? Severity::Error : Severity::Warning,
                    rule,
                    file.path,
                    std::nullopt,
                    isDangerous ? WB_TEXT("{} is Python code of the model and uses {}.")
                                : WB_TEXT("{} is Python code of the model; what it does was not proved."),
                    {name}};
    if (isDangerous) problem.arguments.push_back(names);
    danger.findings.push_back({std::move(problem), file.member});
}

void judgeRemoteCode(Danger& danger) {
    std::map<std::string, std::size_t> files; // without members, by path
    for (std::size_t i = 0; i < danger.files.size(); ++i)
        if (danger.files[i].member.empty()) files.emplace(danger.files[i].path, i);
    std::set<std::string> waiting;
    const auto follow = [&](const ScannedFile& file) {
        for (std::string& module : fileModules(file)) waiting.insert(fileFromFolder(folderFromPath(file.path), std::move(module)));
    };
    for (const DangerFinding& finding : danger.findings)
        if (const auto config = files.find(finding.problem.file); finding.problem.code == remoteCodeNamed && config != files.end())
            follow(danger.files[config->second]);
    while (!waiting.empty()) {
        const std::string path = *waiting.begin();
        waiting.erase(waiting.begin());
        const auto found = files.find(path);
        if (found == files.end() || danger.files[found->second].format != "python" || !danger.files[found->second].isUnchecked)
            continue;
        takeAsCode(danger, found->second, remoteCodeNamed);
        follow(danger.files[found->second]);
    }
}

} // namespace wb::scan
