// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/convert/vendor/child.h"

#include "core/base/progress.h"
#include "core/io/byte_source.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace wb::convert {
namespace {

constexpr int waitMs = 50;
constexpr std::chrono::seconds patience{3}; // between the request to end and the end by force

struct Pipe {
    int read = -1, write = -1;
    ~Pipe() { closeWrite(), closeFile(read); }
    void closeWrite() { closeFile(write); }
    static void closeFile(int& file) {
        if (file >= 0) ::close(file);
        file = -1;
    }
};

bool makePipe(Pipe& pipe) {
    int ends[2];
    if (::pipe(ends) != 0) return false;
    pipe.read = ends[0], pipe.write = ends[1];
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(pipe.read, F_SETFL, O_NONBLOCK);
    return true;
}

// In a new process group, which is ended as a whole.
int spawn(std::span<const std::string> words, int output, pid_t& pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, 1);
    ::posix_spawn_file_actions_adddup2(&actions, output, 2);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int error = ::posix_spawnp(&pid, arguments.front(), &actions, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    return error;
}

// Passes on the available output. False at its end.
bool drain(int file, const std::function<void(std::string_view)>& output) {
    std::array<char, 4096> buffer;
    while (true) {
        const ssize_t count = ::read(file, buffer.data(), buffer.size());
        if (count > 0) output({buffer.data(), static_cast<std::size_t>(count)});
        else if (count == 0) return false;
        else if (errno != EINTR) return errno == EAGAIN || errno == EWOULDBLOCK;
    }
}

int exitStatus(int status) {
    constexpr int bySignal = 128;
    return WIFEXITED(status) ? WEXITSTATUS(status) : bySignal + WTERMSIG(status);
}

} // namespace

Result<int> runChild(std::span<const std::string> words, const std::function<void(std::string_view)>& output,
                     const std::stop_token& stop) {
    Pipe pipe;
    pid_t pid = -1;
    const int error = makePipe(pipe) ? spawn(words, pipe.write, pid) : errno;
    pipe.closeWrite();
    if (error != 0)
        return fail(ErrorCode::NotFound, Reason("vendor.not_started"), About{words.front()}, WB_TEXT("{} cannot be started: {}."),
                    io::baseName(words.front()), std::strerror(error));
    bool isOpen = true;
    std::optional<std::chrono::steady_clock::time_point> stopped;
    while (true) {
        pollfd file{pipe.read, POLLIN, 0};
        if (isOpen) ::poll(&file, 1, waitMs);
        else ::poll(nullptr, 0, waitMs);
        if (isOpen) isOpen = drain(pipe.read, output);
        int status = 0;
        if (::waitpid(pid, &status, WNOHANG) == pid) {
            if (isOpen) drain(pipe.read, output);
            if (stopped) ::kill(-pid, SIGKILL); // those that it left behind
            if (stopped) return std::unexpected(canceled());
            return exitStatus(status);
        }
        const auto now = std::chrono::steady_clock::now();
        if (stop.stop_requested() && !stopped) {
            stopped = now;
            ::kill(-pid, SIGTERM);
        }
        if (stopped && now - *stopped > patience) ::kill(-pid, SIGKILL);
    }
}

} // namespace wb::convert
#endif
