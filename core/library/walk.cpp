// SPDX-License-Identifier: MIT
#include "core/library/walk.h"

#include "core/base/text.h"
#include "core/jobs/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace wb::library {
namespace {

using Path = std::filesystem::path;
using Type = io::FileStat::Type;

bool isBeneath(const Path& path, const Path& realRoot) {
    std::error_code error;
    const Path real = std::filesystem::canonical(path, error);
    if (error || realRoot.empty()) return false;
    return std::ranges::mismatch(realRoot, real).in1 == realRoot.end();
}

// Level by level, so that several threads list the folders of one level.
class Walker {
public:
    Walker(const Path& root, const WalkLimits& limits, const Progress& progress)
        : m_root(root), m_limits(limits), m_progress(progress) {
        std::error_code error;
        m_realRoot = std::filesystem::canonical(root, error);
        if (error) m_realRoot.clear();
    }

    Result<Walked> walk(const Path& top) {
        std::vector<Folder> level = {{top, {}}};
        for (unsigned depth = 0; !level.empty(); ++depth) {
            std::vector<Content> contents(level.size());
            WB_TRY(jobs::parallelFor(level.size(), m_limits.threads, m_progress.stop,
                                     [&](std::uint64_t i) { return list(level[i], contents[i]); }));
            level = takeIn(level, contents, depth);
        }
        if (m_isCut)
            add(m_walked.problems, Severity::Warning, "library.entry_count", {},
                WB_TEXT("{} contains more than {} files; the rest is not listed. Choose a subfolder."), shownName(m_root),
                m_limits.entries);
        std::ranges::sort(m_walked.files, {}, &WalkedFile::name);
        return std::move(m_walked);
    }

private:
    struct Folder {
        Path path;
        std::string name; // relative to the top
    };
    struct Content { // of one folder
        std::vector<WalkedFile> files;
        std::vector<Folder> folders;
        std::vector<Problem> problems;
        bool hasCache = false;
    };

    static std::string shownName(const Path& path) { return escapeControls(io::pathText(path.filename())); }

    template <typename... Args>
    static void add(std::vector<Problem>& problems, Severity severity, Reason reason, const std::string& file, const char* format,
                    Args&&... args) {
        if (problems.size() < listed)
            problems.push_back(makeProblem(severity, reason, file, std::nullopt, format, std::forward<Args>(args)...));
    }

    Result<void> list(const Folder& folder, Content& content) {
        std::error_code error;
        std::filesystem::directory_iterator at(folder.path, error);
        for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
            const std::uint64_t count = m_count.fetch_add(1, std::memory_order_relaxed);
            if (count >= m_limits.entries) {
                m_isCut = true;
                return {};
            }
            if (count % 256 == 255) WB_TRY(m_progress.at(count + 1, 0));
            take(at->path(), folder, content);
        }
        if (error)
            add(content.problems, Severity::Warning, "library.not_listed", folder.name,
                WB_TEXT("Cannot list {} ({}); check its permissions."), shownName(folder.path), error.message());
        return {};
    }

    void take(const Path& path, const Folder& folder, Content& content) {
        const Path last = path.filename();
        const std::string own = io::pathText(last);
        if (own == ".cache") content.hasCache = true;
        if (own.empty() || own.front() == '.' || last.u8string() != std::u8string(own.begin(), own.end())) return;
        const auto stat = io::statLink(path);
        if (!stat) return;
        std::string name = folder.name.empty() ? own : folder.name + '/' + own;
        if (stat->type == Type::File) content.files.push_back({std::move(name), path, *stat, false});
        else if (stat->type == Type::Link) takeLink(path, name, content);
        else if (stat->type == Type::Folder) content.folders.push_back({path, std::move(name)});
    }

    void takeLink(const Path& path, const std::string& name, Content& content) const {
        const auto target = io::statFile(path);
        if (!target || target->type != Type::File) return; // dangling, or a folder, which is not entered
        if (isBeneath(path, m_realRoot)) content.files.push_back({name, path, *target, true});
        else
            add(content.problems, Severity::Note, "library.link_leads_out", name,
                WB_TEXT("{} is a link to a location outside its folder and is not followed; add the target folder instead."), name);
    }

    // The folders of the next level.
    std::vector<Folder> takeIn(const std::vector<Folder>& level, std::vector<Content>& contents, unsigned depth) {
        std::vector<Folder> next;
        for (std::size_t i = 0; i < level.size(); ++i) {
            Content& content = contents[i];
            if (content.hasCache) m_walked.withCache.insert(level[i].path);
            std::ranges::move(content.files, std::back_inserter(m_walked.files));
            for (Problem& problem : content.problems)
                if (m_walked.problems.size() < listed) m_walked.problems.push_back(std::move(problem));
            if (depth < m_limits.depth) std::ranges::move(content.folders, std::back_inserter(next));
            else
                for (const Folder& folder : content.folders)
                    add(m_walked.problems, Severity::Note, "library.too_deep", folder.name,
                        WB_TEXT("{} is more than {} folders deep and is not listed."), folder.name, m_limits.depth);
        }
        return next;
    }

    static constexpr std::size_t listed = 100; // problems

    const Path& m_root;
    Path m_realRoot;
    const WalkLimits& m_limits;
    const Progress& m_progress;
    std::atomic<std::uint64_t> m_count{0};
    std::atomic<bool> m_isCut{false};
    Walked m_walked;
};

} // namespace

Result<Walked> walk(const Path& folder, const Path& root, const WalkLimits& limits, const Progress& progress) {
    return Walker(root, limits, progress).walk(folder);
}

std::vector<std::string> foldersIn(const Path& folder, std::uint64_t maximum) {
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator at(folder, error);
    for (; !error && names.size() < maximum && at != std::filesystem::directory_iterator(); at.increment(error)) {
        const std::string name = io::pathText(at->path().filename());
        if (at->path().filename().u8string() != std::u8string(name.begin(), name.end())) continue;
        std::error_code ignored;
        if (at->is_directory(ignored) && !at->is_symlink(ignored)) names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

bool liesWithin(const Path& path, const Path& root) {
    std::error_code error;
    const Path realRoot = std::filesystem::canonical(root, error);
    return !error && isBeneath(path, realRoot);
}

} // namespace wb::library
