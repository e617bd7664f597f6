// SPDX-License-Identifier: MIT
#ifdef __linux__
#include "core/worker/sandbox.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <csignal>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace wb::worker {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
constexpr std::uint32_t architecture = AUDIT_ARCH_RISCV64;
#else
constexpr std::uint32_t architecture = 0; // no filter was written for it
#endif

constexpr std::uint32_t kill = SECCOMP_RET_KILL_PROCESS;
constexpr int channel = 0;

// The words of a seccomp_data that a filter can load, little-endian halves of the arguments.
constexpr std::uint32_t numberAt = offsetof(seccomp_data, nr);
constexpr std::uint32_t architectureAt = offsetof(seccomp_data, arch);
constexpr std::uint32_t argumentAt(std::uint32_t i) { return static_cast<std::uint32_t>(offsetof(seccomp_data, args)) + 8 * i; }

using Filter = std::vector<sock_filter>;

void loadWord(Filter& filter, std::uint32_t at) { filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)); }
void answer(Filter& filter, std::uint32_t action) { filter.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

// The call with this number is allowed whatever its arguments are.
void allow(Filter& filter, long number) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
    answer(filter, SECCOMP_RET_ALLOW);
}

// Allowed where its first argument is the channel.
void allowOnChannel(Filter& filter, long number) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4));
    loadWord(filter, argumentAt(0));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, channel, 0, 1));
    answer(filter, SECCOMP_RET_ALLOW);
    answer(filter, kill);
}

// Allowed where its third argument asks for no memory to run.
void allowUnlessExecutable(Filter& filter, long number) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4));
    loadWord(filter, argumentAt(2));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0));
    answer(filter, SECCOMP_RET_ALLOW);
    answer(filter, kill);
}

// Asking for a file or a terminal's settings fails instead of ending the process: the C library asks in passing.
void refuse(Filter& filter, long number) {
    constexpr std::uint32_t permissionDenied = 1; // EPERM
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
    answer(filter, SECCOMP_RET_ERRNO | permissionDenied);
}

Filter makeFilter() {
    Filter filter;
    loadWord(filter, architectureAt);
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
    answer(filter, kill);
    loadWord(filter, numberAt);
    for (const long number : {SYS_read, SYS_write, SYS_sendto, SYS_recvfrom, SYS_sendmsg, SYS_recvmsg})
        allowOnChannel(filter, number);
    for (const long number : {SYS_mmap, SYS_mprotect}) allowUnlessExecutable(filter, number);
    for (const long number : {SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_clock_gettime, SYS_getrandom,
                              SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_ppoll, SYS_exit, SYS_exit_group})
        allow(filter, number);
#ifdef SYS_poll
    allow(filter, SYS_poll);
#endif
    for (const long number : {SYS_openat, SYS_newfstatat, SYS_ioctl}) refuse(filter, number);
    answer(filter, kill);
    return filter;
}

bool limit(__rlimit_resource what, rlim_t value) {
    const rlimit limits{value, value};
    return ::setrlimit(what, &limits) == 0;
}

bool setLimits() {
    constexpr rlim_t memory = 4ull << 30; // the pickle machine's arena, and what it is read from
    constexpr rlim_t seconds = 120;
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 3) && limit(RLIMIT_CPU, seconds) &&
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // these reserve terabytes of addresses
           limit(RLIMIT_AS, memory) &&
#else
           memory > 0 &&
#endif
           true;
}

bool installFilter() {
    Filter filter = makeFilter();
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace

bool shutIn() {
    if (architecture == 0) return false;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_DUMPABLE, 0);
#ifdef SYS_close_range
    ::syscall(SYS_close_range, 3U, ~0U, 0U); // the kernel may be older than the call; all our files close themselves anyway
#endif
    return setLimits() && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && installFilter();
}

const char* missingGuarantee() { return ""; }

} // namespace wb::worker
#endif
