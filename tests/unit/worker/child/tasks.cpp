// SPDX-License-Identifier: MIT
#include "tests/unit/worker/child/tasks.h"

#include "core/worker/wire.h"

#include <csignal>

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace wb::test {
namespace {

using Reply = Result<std::vector<std::byte>>;

Reply echo(const worker::TaskInput& input) { return std::vector(input.request.begin(), input.request.end()); }

Reply sum(const worker::TaskInput& input) {
    std::uint64_t total = 0;
    for (const auto& source : input.sources) {
        std::vector<std::byte> bytes(source->size());
        WB_TRY(source->readAt(0, bytes));
        for (const std::byte b : bytes) total += std::to_integer<std::uint64_t>(b);
    }
    worker::WireWriter out;
    out.u64(total);
    return out.take();
}

Reply refuse(const worker::TaskInput&) {
    return fail(ErrorCode::TooLarge, Reason("test.refused"), About{"model.pt"}, "{} has {} things.", "model.pt", 7);
}

Reply progress(const worker::TaskInput& input) {
    for (std::uint64_t i = 1; i <= 100; ++i) WB_TRY(input.progress.at(i, 100));
    return std::vector<std::byte>();
}

Reply crash(const worker::TaskInput&) {
    std::raise(SIGSEGV);
    return {};
}

Reply hang(const worker::TaskInput&) {
    while (true) { // a loop without an effect may be taken for one that ends
        static volatile int turns = 0;
        turns = turns + 1;
    }
}

// Each of these reports in its reply whether it came through.
Reply cameThrough(bool isOpen) { return std::vector{isOpen ? std::byte{1} : std::byte{0}}; }

#ifndef _WIN32
Reply openFile(const worker::TaskInput&) { return cameThrough(::open("/etc/passwd", O_RDONLY) >= 0); }
Reply connectOut(const worker::TaskInput&) { return cameThrough(::socket(AF_INET, SOCK_STREAM, 0) >= 0); }

Reply startProgram(const worker::TaskInput&) {
    char* const words[] = {nullptr};
    return cameThrough(::execve("/bin/true", words, words) == 0);
}

Reply fork(const worker::TaskInput&) { return cameThrough(::fork() >= 0); }

Reply runMemory(const worker::TaskInput&) {
    return cameThrough(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
}

Reply writeElsewhere(const worker::TaskInput&) { return cameThrough(::write(1, "x", 1) == 1); }
#else
// All but the one to be told of changes in folders, which every process keeps.
Reply keepPrivileges(const worker::TaskInput&) {
    HANDLE token = nullptr;
    alignas(TOKEN_PRIVILEGES) std::byte held[4096];
    DWORD bytes = 0;
    if (!::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token) ||
        !::GetTokenInformation(token, TokenPrivileges, held, sizeof held, &bytes))
        return cameThrough(true);
    return cameThrough(reinterpret_cast<const TOKEN_PRIVILEGES*>(held)->PrivilegeCount > 1);
}

Reply startProgram(const worker::TaskInput&) {
    STARTUPINFOW start{};
    start.cb = sizeof start;
    PROCESS_INFORMATION made{};
    wchar_t line[] = L"cmd.exe /c exit";
    return cameThrough(::CreateProcessW(nullptr, line, nullptr, nullptr, FALSE, 0, nullptr, nullptr, &start, &made) != 0);
}

Reply writeElsewhere(const worker::TaskInput&) {
    wchar_t folder[MAX_PATH + 1]{}, name[MAX_PATH + 1]{};
    return cameThrough(::GetTempPathW(MAX_PATH, folder) != 0 && ::GetTempFileNameW(folder, L"wb", 0, name) != 0);
}
#endif

Reply takeMemory(const worker::TaskInput&) {
    std::vector<std::vector<std::byte>> all;
    for (int i = 0; i < 64; ++i) all.emplace_back().reserve(std::size_t{1} << 30); // addresses, which nobody touches
    return cameThrough(true);
}

constexpr worker::WorkerTask tasks[] = {
    {"echo", echo},
    {"sum", sum},
    {"fail", refuse},
    {"progress", progress},
    {"crash", crash},
    {"hang", hang},
    {"memory", takeMemory},
    {"exec", startProgram},
    {"write", writeElsewhere},
#ifdef _WIN32
    {"privileges", keepPrivileges},
#else
    {"open", openFile},
    {"connect", connectOut},
    {"fork", fork},
    {"execute", runMemory},
#endif
};

} // namespace

std::span<const worker::WorkerTask> childTasks() { return tasks; }

} // namespace wb::test
