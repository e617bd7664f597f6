// SPDX-License-Identifier: MIT
#pragma once

#include "core/worker/protocol.h"

#include <filesystem>
#include <memory>

namespace wb::worker {

// The only argument of a program that is to be a worker.
inline constexpr const char* workerArgument = "--weighbridge-worker";

// A started worker; it is ended when the object goes.
class Process {
public:
    // Unsupported where it cannot be started.
    static Result<std::unique_ptr<Process>> start(const std::filesystem::path& program, std::function<bool()> mayWait);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    Channel& channel() { return *m_channel; }

private:
    Process() = default;

    std::unique_ptr<Channel> m_channel;
    std::intptr_t m_process = -1;
    std::intptr_t m_job = -1; // Windows only
};

// The channel of this process, which was started as a worker.
std::unique_ptr<Channel> channelToParent();

} // namespace wb::worker
