// SPDX-License-Identifier: MIT
// Preloaded into a test, this makes software Vulkan a device that flushes subnormal numbers, as Vulkan allows: the threads that
// Mesa starts for its shaders get the processor's modes for it.
#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>
#include <xmmintrin.h>

#include <cstring>
#include <memory>

namespace {

bool isDriver(void* caller) {
    Dl_info info;
    return dladdr(caller, &info) != 0 && info.dli_fname != nullptr && std::strstr(info.dli_fname, "vulkan_lvp") != nullptr;
}

template <typename Outcome>
struct Start {
    Outcome (*run)(void*);
    void* argument;
};

template <typename Outcome>
Outcome runFlushing(void* start) {
    constexpr unsigned flushToZero = 0x8000, denormalsAreZero = 0x0040;
    const std::unique_ptr<Start<Outcome>> own(static_cast<Start<Outcome>*>(start));
    _mm_setcsr(_mm_getcsr() | flushToZero | denormalsAreZero);
    return own->run(own->argument);
}

template <typename Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

#pragma GCC visibility push(default)

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    static auto* const real = next<decltype(pthread_create)>("pthread_create");
    if (!isDriver(__builtin_return_address(0))) return real(thread, attributes, run, argument);
    return real(thread, attributes, runFlushing<void*>, new Start<void*>{run, argument});
}

int thrd_create(thrd_t* thread, thrd_start_t run, void* argument) {
    static auto* const real = next<decltype(thrd_create)>("thrd_create");
    if (!isDriver(__builtin_return_address(0))) return real(thread, run, argument);
    return real(thread, runFlushing<int>, new Start<int>{run, argument});
}

#pragma GCC visibility pop

} // extern "C"
