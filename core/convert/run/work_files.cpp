// SPDX-License-Identifier: MIT
#include "core/convert/run/work_files.h"

#include "core/io/target.h"

#include <numeric>

namespace wb::run {

namespace fs = std::filesystem;

namespace {

constexpr const char* partEnding = ".part";
constexpr const char* journalEnding = ".part.journal";

fs::path withEnding(fs::path path, const char* ending) { return path += ending; }

} // namespace

fs::path partPath(const fs::path& file) { return withEnding(file, partEnding); }

bool isPartPath(const fs::path& path) { return path.extension() == partEnding; }

fs::path journalPath(const fs::path& target) { return withEnding(target, journalEnding); }

std::vector<fs::path> workFiles(const fs::path& target, const std::vector<fs::path>& files) {
    std::vector<fs::path> all = files;
    for (const fs::path& file : files) all.push_back(partPath(file));
    all.push_back(journalPath(target));
    return all;
}

fs::path absoluteTarget(const fs::path& target) {
    std::error_code error;
    const fs::path whole = fs::absolute(target, error);
    return error ? target : whole.lexically_normal();
}

std::uint64_t OutputPlan::work() const {
    return std::accumulate(items.begin(), items.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Item& item) { return sum + item.work; });
}

std::optional<std::string> sourceAt(const std::vector<SourceFile>& sources, const fs::path& path) {
    if (!io::isTaken(path)) return std::nullopt;
    for (const SourceFile& source : sources)
        if (io::leadsTo(path, source.identity)) return source.name;
    return std::nullopt;
}

} // namespace wb::run
