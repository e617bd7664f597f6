// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/worker/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wb::worker {
namespace {

constexpr int waitMs = 20;

// A socket whose other side is gone raises a signal unless it is reported not to.
#ifdef MSG_NOSIGNAL
constexpr int sendFlags = MSG_NOSIGNAL;
#else
constexpr int sendFlags = 0;
#endif

std::unexpected<Error> cannotStart(const char* why) {
    return fail(ErrorCode::Unsupported, Reason("worker.not_started"),
                WB_TEXT("Cannot start the sandboxed process that reads such files: {}."), why);
}

struct Sockets {
    int parent = -1;
    int child = -1;
};

bool makeSockets(Sockets& sockets) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return false;
    for (const int socket : pair) ::fcntl(socket, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
    const int on = 1;
    for (const int socket : pair) ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    ::fcntl(pair[0], F_SETFL, O_NONBLOCK);
    sockets = {pair[0], pair[1]};
    return true;
}

// The child's standard input is the channel; it has no other file, no environment and no argument but the mode.
int spawn(const std::filesystem::path& program, int channel, pid_t& pid) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, channel, 0);
    ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::string name = program.string();
    std::string mode = workerArgument;
    char* const words[] = {name.data(), mode.data(), nullptr};
    char* const environment[] = {nullptr};
    const int error = ::posix_spawn(&pid, name.c_str(), &actions, nullptr, words, environment);
    ::posix_spawn_file_actions_destroy(&actions);
    return error;
}

} // namespace

Result<std::unique_ptr<Process>> Process::start(const std::filesystem::path& program, std::function<bool()> mayWait) {
    Sockets sockets;
    if (!makeSockets(sockets)) return cannotStart(std::strerror(errno));
    std::unique_ptr<Process> process(new Process);
    process->m_channel = std::make_unique<Channel>(sockets.parent, sockets.parent, std::move(mayWait));
    pid_t pid = -1;
    const int error = spawn(program, sockets.child, pid);
    ::close(sockets.child);
    if (error != 0) return cannotStart(std::strerror(error));
    process->m_process = pid;
    return process;
}

Process::~Process() {
    if (m_process < 0) return;
    const auto pid = static_cast<pid_t>(m_process);
    ::kill(pid, SIGKILL);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Channel::Channel(std::intptr_t in, std::intptr_t out, std::function<bool()> mayWait)
    : m_in(in), m_out(out), m_mayWait(std::move(mayWait)) {}

Channel::~Channel() { ::close(static_cast<int>(m_in)); }

bool Channel::wait(bool toWrite) {
    while (true) {
        if (m_mayWait && !m_mayWait()) return false;
        pollfd socket{static_cast<int>(toWrite ? m_out : m_in), static_cast<short>(toWrite ? POLLOUT : POLLIN), 0};
        const int ready = ::poll(&socket, 1, waitMs);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

bool Channel::sendAll(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(static_cast<int>(m_out), bytes.data(), bytes.size(), sendFlags);
        if (sent > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
        } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!wait(true)) return false;
        } else if (sent >= 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

Channel::Outcome Channel::receiveAll(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const auto got = ::recv(static_cast<int>(m_in), bytes.data(), bytes.size(), 0);
        if (got > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(got));
        } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!wait(false)) return Outcome::GaveUp;
        } else if (got >= 0 || errno != EINTR) {
            return Outcome::Closed;
        }
    }
    return Outcome::Got;
}

std::unique_ptr<Channel> channelToParent() { return std::make_unique<Channel>(0, 0); }

} // namespace wb::worker
#endif
