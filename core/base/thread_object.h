// SPDX-License-Identifier: MIT
#pragma once

namespace wb {

// The calling thread's own T, made when it is first asked for: memory that is kept from call to call. T is a type that no other
// caller uses. GCC frees the memory of thread_local variables on Windows before it destroys them (GCC bug 80816), so that the end
// of a thread would crash. There the object is never destroyed; threads are few and live long.
template <class T>
T& threadObject() {
#ifdef __MINGW32__
    static thread_local T* const own = new T();
    return *own;
#else
    static thread_local T own;
    return own;
#endif
}

} // namespace wb
