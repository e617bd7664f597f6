// SPDX-License-Identifier: MIT
#include "core/memory/open_subject.h"

#include "core/formats/json/json.h"
#include "core/formats/open.h"

namespace wb::memory {
namespace {

Result<Subject> subjectOfConfigFile(const std::filesystem::path& path, const formats::OpenOptions& options) {
    const std::string name = io::baseName(path);
    WB_TRY_ASSIGN(const auto source, io::FileSource::open(path));
    std::vector<Problem> problems;
    WB_TRY_ASSIGN(const Value config, json::readFile(*source, name, options.limits, problems));
    if (!config.object())
        return fail(ErrorCode::Malformed, Reason("memory.not_a_config"), About{name},
                    WB_TEXT("{} is not a JSON object; choose a model's config.json."), name);
    return subjectOfConfig(*config.object(), name);
}

} // namespace

Result<Subject> openSubject(const std::filesystem::path& path, const formats::OpenOptions& options) {
    std::error_code ignored;
    const bool isFolder = std::filesystem::is_directory(path, ignored);
    if (!isFolder && path.extension() == ".json" && !io::baseName(path).ends_with(".index.json"))
        return subjectOfConfigFile(path, options);
    WB_TRY_ASSIGN(const ModelPtr model, formats::open(path, options));
    return memorySubject(model);
}

} // namespace wb::memory
