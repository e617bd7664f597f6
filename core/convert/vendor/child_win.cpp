// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/convert/vendor/child.h"

#include "core/base/progress.h"
#include "core/io/byte_source.h"

#include <array>
#include <filesystem>
#include <windows.h>

namespace wb::convert {
namespace {

constexpr DWORD waitMs = 50;

struct Handle {
    HANDLE value = nullptr;
    Handle() = default;
    explicit Handle(HANDLE handle) : value(handle) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { close(); }
    void close() {
        if (value != nullptr && value != INVALID_HANDLE_VALUE) ::CloseHandle(value);
        value = nullptr;
    }
};

// As CommandLineToArgvW splits it: quotes and the backslashes before them are escaped.
std::wstring quoted(const std::string& word) {
    const std::wstring text = std::filesystem::path(std::u8string(word.begin(), word.end())).wstring();
    std::wstring out = L"\"";
    std::size_t slashes = 0;
    for (const wchar_t c : text) {
        if (c == L'"') out.append(slashes + 1, L'\\');
        slashes = c == L'\\' ? slashes + 1 : 0;
        out += c;
    }
    return out.append(slashes, L'\\') + L"\"";
}

// Ends its processes with the last handle to it.
HANDLE makeJob() {
    const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (job != nullptr) ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

void drain(HANDLE file, const std::function<void(std::string_view)>& output) {
    std::array<char, 4096> buffer;
    DWORD available = 0, count = 0;
    while (::PeekNamedPipe(file, nullptr, 0, nullptr, &available, nullptr) && available > 0) {
        if (!::ReadFile(file, buffer.data(), static_cast<DWORD>(buffer.size()), &count, nullptr) || count == 0) return;
        output({buffer.data(), count});
    }
}

std::unexpected<Error> cannotStart(const std::string& program) {
    return fail(ErrorCode::NotFound, Reason("vendor.not_started"), About{program}, WB_TEXT("{} cannot be started: {}."),
                io::baseName(std::filesystem::path(program)), "error " + std::to_string(::GetLastError()));
}

} // namespace

Result<int> runChild(std::span<const std::string> words, const std::function<void(std::string_view)>& output,
                     const std::stop_token& stop) {
    Handle read, write, process, thread;
    const Handle job(makeJob());
    SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    if (!::CreatePipe(&read.value, &write.value, &inherited, 1 << 20)) return cannotStart(words.front());
    ::SetHandleInformation(read.value, HANDLE_FLAG_INHERIT, 0);
    std::wstring line;
    for (const std::string& word : words) line += (line.empty() ? L"" : L" ") + quoted(word);
    STARTUPINFOW start{};
    start.cb = sizeof start;
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdOutput = start.hStdError = write.value;
    PROCESS_INFORMATION made{};
    if (!::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW | CREATE_SUSPENDED, nullptr, nullptr,
                          &start, &made))
        return cannotStart(words.front());
    process.value = made.hProcess, thread.value = made.hThread;
    if (job.value != nullptr) ::AssignProcessToJobObject(job.value, process.value);
    ::ResumeThread(thread.value);
    write.close();
    while (::WaitForSingleObject(process.value, waitMs) == WAIT_TIMEOUT) {
        drain(read.value, output);
        if (!stop.stop_requested()) continue;
        if (job.value != nullptr) ::TerminateJobObject(job.value, 1);
        else ::TerminateProcess(process.value, 1);
        ::WaitForSingleObject(process.value, INFINITE);
        return std::unexpected(canceled());
    }
    drain(read.value, output);
    DWORD status = 1;
    ::GetExitCodeProcess(process.value, &status);
    return static_cast<int>(status);
}

} // namespace wb::convert
#endif
