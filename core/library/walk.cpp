// SPDX-License-Identifier: MIT
#include "core/library/walk.h"

#include "core/base/text.h"

#include <algorithm>

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

class Walker {
public:
    Walker(const Path& root, const WalkLimits& limits, const Progress& progress)
        : m_root(root), m_limits(limits), m_progress(progress) {
        std::error_code error;
        m_realRoot = std::filesystem::canonical(root, error);
        if (error) m_realRoot.clear();
    }

    Result<void> enter(const Path& folder, const std::string& prefix, unsigned depth) {
        std::error_code error;
        std::filesystem::directory_iterator at(folder, error);
        for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
            if (m_count == m_limits.entries) return stopAtLimit();
            if (++m_count % 256 == 0) WB_TRY(m_progress.at(m_count, 0));
            WB_TRY(take(at->path(), prefix, depth));
        }
        if (error)
            add(Severity::Warning, "library.not_listed", prefix, WB_TEXT("{} cannot be listed ({}); check its permissions."),
                shownName(folder), error.message());
        return {};
    }

    Walked result() && {
        std::ranges::sort(m_walked.files, {}, &WalkedFile::name);
        return std::move(m_walked);
    }

private:
    static std::string shownName(const Path& path) { return escapeControls(io::pathText(path.filename())); }

    template <typename... Args>
    void add(Severity severity, Reason reason, const std::string& file, const char* format, Args&&... args) {
        constexpr std::size_t listed = 100;
        if (m_walked.problems.size() < listed)
            m_walked.problems.push_back(makeProblem(severity, reason, file, std::nullopt, format, std::forward<Args>(args)...));
    }

    Result<void> stopAtLimit() {
        if (!m_isCut)
            add(Severity::Warning, "library.entry_count", {},
                WB_TEXT("{} holds more than {} files; the rest is not listed. Choose a folder further in."), shownName(m_root),
                m_limits.entries);
        m_isCut = true;
        return {};
    }

    Result<void> take(const Path& path, const std::string& prefix, unsigned depth) {
        const std::string own = io::pathText(path.filename());
        if (own == ".cache") m_walked.withCache.insert(path.parent_path());
        if (own.empty() || own.front() == '.' || path.filename().u8string() != std::u8string(own.begin(), own.end())) return {};
        const auto stat = io::linkStatOf(path);
        if (!stat) return {};
        const std::string name = prefix.empty() ? own : prefix + '/' + own;
        if (stat->type == Type::File) m_walked.files.push_back({name, path, *stat, false});
        else if (stat->type == Type::Link) takeLink(path, name);
        else if (stat->type == Type::Folder) return descend(path, name, depth);
        return {};
    }

    Result<void> descend(const Path& path, const std::string& name, unsigned depth) {
        if (depth < m_limits.depth) return enter(path, name, depth + 1);
        add(Severity::Note, "library.too_deep", name, WB_TEXT("{} lies more than {} folders deep and is not listed."), name,
            m_limits.depth);
        return {};
    }

    void takeLink(const Path& path, const std::string& name) {
        const auto target = io::statOf(path);
        if (!target || target->type != Type::File) return; // dangling, or a folder, which is not entered
        if (isBeneath(path, m_realRoot)) m_walked.files.push_back({name, path, *target, true});
        else
            add(Severity::Note, "library.link_leads_out", name,
                WB_TEXT("{} is a link out of its folder and is not followed; add the folder it leads to."), name);
    }

    const Path& m_root;
    Path m_realRoot;
    const WalkLimits& m_limits;
    const Progress& m_progress;
    std::uint64_t m_count = 0;
    bool m_isCut = false;
    Walked m_walked;
};

} // namespace

Result<Walked> walk(const Path& folder, const Path& root, const WalkLimits& limits, const Progress& progress) {
    Walker walker(root, limits, progress);
    WB_TRY(walker.enter(folder, {}, 0));
    return std::move(walker).result();
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
