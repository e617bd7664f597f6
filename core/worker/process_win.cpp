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

// A job ends its process with the last handle to it and limits memory, processor time and what it may do to the desktop. None where
// a limit could not be set.
HANDLE makeJob() {
    const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_PROCESS_MEMORY |
                                              JOB_OBJECT_LIMIT_ACTIVE_PROCESS | JOB_OBJECT_LIMIT_PROCESS_TIME |
                                              JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    limits.BasicLimitInformation.ActiveProcessLimit = 1;
    limits.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart = 120LL * 10'000'000; // of 100 ns
    limits.ProcessMemoryLimit = static_cast<SIZE_T>(4ull << 30);
    JOBOBJECT_BASIC_UI_RESTRICTIONS desktop{};
    desktop.UIRestrictionsClass = JOB_OBJECT_UILIMIT_DESKTOP | JOB_OBJECT_UILIMIT_DISPLAYSETTINGS | JOB_OBJECT_UILIMIT_EXITWINDOWS |
                                  JOB_OBJECT_UILIMIT_GLOBALATOMS | JOB_OBJECT_UILIMIT_HANDLES | JOB_OBJECT_UILIMIT_READCLIPBOARD |
                                  JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS | JOB_OBJECT_UILIMIT_WRITECLIPBOARD;
    if (::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits) &&
        ::SetInformationJobObject(job, JobObjectBasicUIRestrictions, &desktop, sizeof desktop))
        return job;
    if (job != nullptr) ::CloseHandle(job);
    return nullptr;
}

// This process's token without its privileges and at the low level of integrity, with which a process changes no file, registry key
// or process of the user. None where it could not be had.
HANDLE restrictedToken() {
    HANDLE own = nullptr, made = nullptr;
    constexpr DWORD rights = TOKEN_DUPLICATE | TOKEN_QUERY | TOKEN_ASSIGN_PRIMARY | TOKEN_ADJUST_DEFAULT;
    if (!::OpenProcessToken(::GetCurrentProcess(), rights, &own)) return nullptr;
    const BOOL isMade = ::CreateRestrictedToken(own, DISABLE_MAX_PRIVILEGE, 0, nullptr, 0, nullptr, 0, nullptr, &made);
    ::CloseHandle(own);
    if (!isMade) return nullptr;
    alignas(SID) BYTE level[SECURITY_MAX_SID_SIZE];
    DWORD bytes = sizeof level;
    if (::CreateWellKnownSid(WinLowLabelSid, nullptr, level, &bytes)) {
        TOKEN_MANDATORY_LABEL label{{level, SE_GROUP_INTEGRITY}};
        if (::SetTokenInformation(made, TokenIntegrityLevel, &label, static_cast<DWORD>(sizeof label) + bytes)) return made;
    }
    ::CloseHandle(made);
    return nullptr;
}

// Starts the program as a worker, still suspended, with the token.
bool startSuspended(const std::filesystem::path& program, HANDLE token, STARTUPINFOEXW& start, PROCESS_INFORMATION& made) {
    std::wstring line = L"\"" + program.wstring() + L"\" ";
    for (const char* c = workerArgument; *c != '\0'; ++c) line += static_cast<wchar_t>(*c);
    const DWORD flags = CREATE_NO_WINDOW | CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT;
    return ::CreateProcessAsUserW(token, program.c_str(), line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr,
                                  &start.StartupInfo, &made) != 0;
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
    PROCESS_INFORMATION made{};
    const HANDLE job = makeJob();
    const HANDLE token = restrictedToken();
    const bool isStarted = inheritance.isSet() && job != nullptr && token != nullptr && startSuspended(program, token, start, made);
    std::unexpected<Error> failure = cannotStart(); // by the last error, which closing a handle may change
    for (const HANDLE handle : {pipes.childIn, pipes.childOut, token})
        if (handle != nullptr) ::CloseHandle(handle);
    process->m_job = handleValue(job);
    if (!isStarted) return failure;
    process->m_process = handleValue(made.hProcess);
    const bool isShutIn = ::AssignProcessToJobObject(job, made.hProcess) && ::ResumeThread(made.hThread) != static_cast<DWORD>(-1);
    if (!isShutIn) failure = cannotStart();
    ::CloseHandle(made.hThread);
    if (!isShutIn) return failure;
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

} // namespace wb::worker
#endif
