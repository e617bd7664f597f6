// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/system/graphics_memory.h"

#include <windows.h>

#include <dxgi1_4.h>

#include <algorithm>
#include <memory>

namespace wb::io {
namespace {

struct ReleaseObject {
    void operator()(IUnknown* object) const { object->Release(); }
};
template <class T>
using Held = std::unique_ptr<T, ReleaseObject>;

// The library is searched when it is needed, so that the program also starts if none exists.
Held<IDXGIFactory1> openFactory() {
    const HMODULE library = LoadLibraryExW(L"dxgi.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
    const auto create = library == nullptr ? nullptr
                                           : reinterpret_cast<decltype(&CreateDXGIFactory1)>(
                                                 reinterpret_cast<void*>(GetProcAddress(library, "CreateDXGIFactory1")));
    void* factory = nullptr;
    if (create == nullptr || FAILED(create(__uuidof(IDXGIFactory1), &factory))) return nullptr;
    return Held<IDXGIFactory1>(static_cast<IDXGIFactory1*>(factory));
}

Held<IDXGIAdapter1> adapterAt(IDXGIFactory1& factory, UINT index) {
    IDXGIAdapter1* adapter = nullptr;
    return Held<IDXGIAdapter1>(FAILED(factory.EnumAdapters1(index, &adapter)) ? nullptr : adapter);
}

// Of the device's own memory alone: the rest is RAM, which Windows gives silently and slowly.
std::optional<std::uint64_t> adapterFree(IDXGIAdapter1& adapter) {
    void* found = nullptr;
    if (FAILED(adapter.QueryInterface(__uuidof(IDXGIAdapter3), &found))) return {};
    const Held<IDXGIAdapter3> newer(static_cast<IDXGIAdapter3*>(found));
    DXGI_QUERY_VIDEO_MEMORY_INFO info{};
    if (FAILED(newer->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &info))) return {};
    return info.Budget - std::min(info.Budget, info.CurrentUsage);
}

bool isNear(std::uint64_t a, std::uint64_t b) { return std::max(a, b) - std::min(a, b) <= std::max(a, b) / 100; }

} // namespace

std::optional<std::uint64_t> freeGraphicsMemory(std::uint64_t bytes, const std::filesystem::path&) {
    const Held<IDXGIFactory1> factory = openFactory();
    std::optional<std::uint64_t> free;
    std::optional<LUID> seen; // an adapter is listed once for each of its links
    for (UINT index = 0; factory; ++index) {
        const Held<IDXGIAdapter1> adapter = adapterAt(*factory, index);
        if (!adapter) break;
        DXGI_ADAPTER_DESC1 about{};
        if (FAILED(adapter->GetDesc1(&about)) || (about.Flags & DXGI_ADAPTER_FLAG_SOFTWARE) != 0) continue;
        if (!isNear(about.DedicatedVideoMemory, bytes)) continue;
        const LUID& id = about.AdapterLuid;
        if (seen && seen->LowPart == id.LowPart && seen->HighPart == id.HighPart) continue;
        if (seen) return {};
        seen = id;
        free = adapterFree(*adapter);
    }
    return free;
}

} // namespace wb::io
#endif
