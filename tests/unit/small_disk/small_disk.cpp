// SPDX-License-Identifier: MIT
#include "tests/unit/small_disk/small_disk.h"

#include <fmt/format.h>

#ifdef __linux__
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace wb::test {

#ifdef __linux__

namespace {

constexpr int cannotMount = 77;

bool writeText(const char* path, const std::string& text) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(file);
    return written;
}

// Mounts of its own: as root at once, else as the root of a user namespace.
bool leaveMounts() {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    if (unshare(CLONE_NEWNS) == 0) return true;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    writeText("/proc/self/setgroups", "deny");
    return writeText("/proc/self/uid_map", fmt::format("0 {} 1", user)) &&
           writeText("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

bool mountDisk(const std::filesystem::path& folder, std::uint64_t bytes) {
    return leaveMounts() && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount("tmpfs", folder.c_str(), "tmpfs", 0, fmt::format("size={},mode=0777", bytes).c_str()) == 0;
}

[[noreturn]] void runChild(const std::filesystem::path& folder, std::uint64_t bytes, const std::function<void(Findings&)>& body,
                           int to) {
    Findings findings;
    const bool mounted = mountDisk(folder, bytes);
    if (mounted) body(findings);
    const std::string text = mounted ? findings.text() : std::strerror(errno);
    const bool told = write(to, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(!mounted ? cannotMount : told ? 0 : 1);
}

std::string readAll(int from) {
    std::string text;
    char part[512];
    for (ssize_t got; (got = read(from, part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(got));
    return text;
}

} // namespace

std::optional<std::string> onSmallDisk(const std::filesystem::path& folder, std::uint64_t bytes,
                                       const std::function<void(Findings&)>& body, std::string& reason) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        runChild(folder, bytes, body, ends[1]);
    }
    close(ends[1]);
    std::string text = readAll(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != cannotMount) return "the child ended badly: " + text;
    reason = "this system does not let the test mount a small file system: " + text;
    return std::nullopt;
}

#else

std::optional<std::string> onSmallDisk(const std::filesystem::path&, std::uint64_t, const std::function<void(Findings&)>&,
                                       std::string& reason) {
    reason = "small file systems are mounted on Linux only";
    return std::nullopt;
}

#endif

} // namespace wb::test
