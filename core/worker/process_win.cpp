// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/worker/process.h"

#include <windows.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace wb::worker {
namespace {

constexpr DWORD waitMs = 5;

HANDLE valueHandle(std::intptr_t value) { return reinterpret_cast<HANDLE>(value); }
std::intptr_t handleValue(HANDLE handle) { return reinterpret_cast<std::intptr_t>(handle); }

std::unexpected<Error> cannotStart() {
    return fail(ErrorCode::Unsupported, Reason("worker.not_started"),
                WB_TEXT("Cannot start the sandboxed process that reads such files: {}."),
                "error " + std::to_string(::GetLastError()));
}

struct Pipes {
    HANDLE childIn = nullptr, parentOut = nullptr, parentIn = nullptr, childOut = nullptr;
};

bool makePipes(Pipes& pipes) {
    if (!::CreatePipe(&pipes.childIn, &pipes.parentOut, nullptr, 1 << 20)) return false;
    if (!::CreatePipe(&pipes.parentIn, &pipes.childOut, nullptr, 1 << 20)) return false;
    return ::SetHandleInformation(pipes.childIn, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) &&
           ::SetHandleInformation(pipes.childOut, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
}

// Names the only handles that a new process inherits. Another process that is started meanwhile would keep the ends of these pipes
// open, and their closing would not be seen.
class Inheritance {
public:
    explicit Inheritance(std::span<HANDLE> handles) {
        SIZE_T bytes = 0;
        ::InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
        m_memory.resize(bytes);
        m_isMade = ::InitializeProcThreadAttributeList(list(), 1, 0, &bytes) != 0;
        m_isSet = m_isMade && ::UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles.data(),
                                                          handles.size_bytes(), nullptr, nullptr) != 0;
    }
    ~Inheritance() {
        if (m_isMade) ::DeleteProcThreadAttributeList(list());
    }
    Inheritance(const Inheritance&) = delete;
    Inheritance& operator=(const Inheritance&) = delete;

    bool isSet() const { return m_isSet; }
    LPPROC_THREAD_ATTRIBUTE_LIST list() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(m_memory.data()); }

private:
    std::vector<std::byte> m_memory;
    bool m_isMade = false;
    bool m_isSet = false;
};

// A job ends its process with the last handle to it and limits its memory.
HANDLE makeJob() {
    const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
    if (job == nullptr) return nullptr;
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_PROCESS_MEMORY | JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
    limits.BasicLimitInformation.ActiveProcessLimit = 1;
    limits.ProcessMemoryLimit = static_cast<SIZE_T>(4ull << 30);
    ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

} // namespace

Result<std::unique_ptr<Process>> Process::start(const std::filesystem::path& program, std::function<bool()> mayWait) {
    Pipes pipes;
    if (!makePipes(pipes)) return cannotStart();
    std::unique_ptr<Process> process(new Process);
    process->m_channel = std::make_unique<Channel>(handleValue(pipes.parentIn), handleValue(pipes.parentOut), std::move(mayWait));
    HANDLE inherited[] = {pipes.childIn, pipes.childOut};
    Inheritance inheritance(inherited);
    STARTUPINFOEXW start{};
    start.StartupInfo.cb = sizeof start;
    start.StartupInfo.dwFlags = STARTF_USESTDHANDLES; // no stderr: its text would come between the messages
    start.StartupInfo.hStdInput = pipes.childIn;
    start.StartupInfo.hStdOutput = pipes.childOut;
    start.lpAttributeList = inheritance.list();
    std::wstring line = L"\"" + program.wstring() + L"\" ";
    for (const char* c = workerArgument; *c != '\0'; ++c) line += static_cast<wchar_t>(*c);
    PROCESS_INFORMATION made{};
    const HANDLE job = makeJob();
    const DWORD flags = CREATE_NO_WINDOW | CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT;
    const BOOL started = inheritance.isSet() && ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                                                                 nullptr, nullptr, &start.StartupInfo, &made);
    ::CloseHandle(pipes.childIn);
    ::CloseHandle(pipes.childOut);
    process->m_job = handleValue(job);
    if (!started) return cannotStart();
    if (job != nullptr) ::AssignProcessToJobObject(job, made.hProcess);
    ::ResumeThread(made.hThread);
    ::CloseHandle(made.hThread);
    process->m_process = handleValue(made.hProcess);
    return process;
}

Process::~Process() {
    if (m_process != -1) {
        ::TerminateProcess(valueHandle(m_process), 1);
        ::CloseHandle(valueHandle(m_process));
    }
    if (m_job != -1 && m_job != 0) ::CloseHandle(valueHandle(m_job));
}

Channel::Channel(std::intptr_t in, std::intptr_t out, std::function<bool()> mayWait)
    : m_in(in), m_out(out), m_mayWait(std::move(mayWait)) {}

Channel::~Channel() {
    ::CloseHandle(valueHandle(m_in));
    ::CloseHandle(valueHandle(m_out));
}

// Until something can be read; writing blocks, since the other side reads as long as it lives.
bool Channel::wait(bool) {
    while (true) {
        if (!m_mayWait) return true;
        if (!m_mayWait()) return false;
        DWORD available = 0;
        if (!::PeekNamedPipe(valueHandle(m_in), nullptr, 0, nullptr, &available, nullptr) || available > 0) return true;
        ::Sleep(waitMs);
    }
}

bool Channel::sendAll(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        DWORD sent = 0;
        if (!::WriteFile(valueHandle(m_out), bytes.data(), static_cast<DWORD>(bytes.size()), &sent, nullptr)) return false;
        bytes = bytes.subspan(sent);
    }
    return true;
}

Channel::Outcome Channel::receiveAll(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        if (!wait(false)) return Outcome::GaveUp;
        DWORD got = 0;
        if (!::ReadFile(valueHandle(m_in), bytes.data(), static_cast<DWORD>(bytes.size()), &got, nullptr) || got == 0)
            return Outcome::Closed;
        bytes = bytes.subspan(got);
    }
    return Outcome::Got;
}

std::unique_ptr<Channel> channelToParent() {
    return std::make_unique<Channel>(handleValue(::GetStdHandle(STD_INPUT_HANDLE)), handleValue(::GetStdHandle(STD_OUTPUT_HANDLE)));
}

std::filesystem::path ownProgram() {
    std::wstring path(32'768, L'\0');
    path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
    return path;
}

} // namespace wb::worker
#endif
