// SPDX-License-Identifier: MIT
#include "core/memory/serving/runtime.h"

#include "core/base/ascii.h"
#include "core/memory/settings.h"

#include <array>
#include <charconv>

namespace wb::memory {
namespace {

constexpr std::array<const char*, 4> runtimes = {"llama.cpp", "weighbridge", "vllm", "transformers"};
constexpr std::array<const char*, 4> backends = {"cpu", "vulkan", "cuda", "metal"};

// CUDA's context took 138 MiB on an RTX 5060 Ti and 141 on each of 69 runs of a T4. The rest that llama.cpp does not count itself
// was 155 to 225 MiB there, and 451 to 456 with the context on an RTX 4090 (PR 15860): docs/reference/memory.md, "Overheads".
constexpr std::uint64_t mib = 1 << 20;
constexpr std::uint64_t cudaContext = 138 * mib;
constexpr std::uint64_t cudaKernels = 190 * mib;
constexpr std::uint64_t cudaError = 130 * mib;

template <typename Kind, std::size_t N>
std::optional<Kind> find(const std::array<const char*, N>& names, std::string_view name) {
    for (std::size_t i = 0; i < N; ++i)
        if (ascii::same(name, names[i])) return static_cast<Kind>(i);
    return {};
}

} // namespace

const char* runtimeName(Runtime runtime) { return runtimes[static_cast<std::size_t>(runtime)]; }
const char* backendName(Backend backend) { return backends[static_cast<std::size_t>(backend)]; }
std::optional<Runtime> runtimeFromName(std::string_view name) { return find<Runtime>(runtimes, name); }
std::optional<Backend> backendFromName(std::string_view name) { return find<Backend>(backends, name); }

std::optional<std::uint32_t> buildFromText(std::string_view text) {
    std::uint32_t year = 0, month = 0;
    if (text.size() != 7 || text[4] != '-') return {};
    const auto read = [](std::string_view digits, std::uint32_t& number) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return error == std::errc() && end == digits.data() + digits.size();
    };
    if (!read(text.substr(0, 4), year) || !read(text.substr(5), month) || month < 1 || month > 12 || year < 2023) return {};
    return year * 100 + month;
}

AllocatorRules allocatorRules(const Settings& settings) {
    AllocatorRules laws;
    if (settings.runtime != Runtime::LlamaCpp) return laws;
    const Backend backend = settings.backendUsed();
    laws.copiesMask = settings.flash && settings.build < 202605;
    laws.windowsHoldBatch = settings.build < 202507;
    laws.logitsOfBatch = settings.build < 202606;
    laws.loadsPrediction = settings.build < 202608;
    const bool isPlain = settings.keyType == Dtype::F16 && settings.valueType == Dtype::F16;
    laws.reservesScratch =
        settings.flash && !isPlain &&
        ((backend == Backend::Cuda && settings.build >= 202606) || (backend == Backend::Metal && settings.build >= 202608));
    if (backend != Backend::Cuda) return laws;
    laws.overhead = cudaContext + cudaKernels;
    laws.overheadError = cudaError;
    return laws;
}

} // namespace wb::memory
