// SPDX-License-Identifier: MIT
#include "core/infer/simd_levels.h"

#include "core/infer/cpu/kernels/kernels.h"
#include "core/infer/cpu/kernels/multiply_simd.h"
#include "core/quant/kernels/simd_choice.h"

#include <hwy/targets.h>

#include <algorithm>
#include <array>

#ifdef __x86_64__
#include <cpuid.h>
#endif
#ifdef __linux__
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

namespace wb::infer {
namespace cpu {
namespace {

#ifdef __x86_64__
struct CpuidLeaf {
    unsigned a = 0, b = 0, c = 0, d = 0;
};

CpuidLeaf featureLeaf(unsigned subleaf) {
    CpuidLeaf leaf;
    if (__get_cpuid_count(7, subleaf, &leaf.a, &leaf.b, &leaf.c, &leaf.d) == 0) return {};
    return leaf;
}

// Whether the CPU multiplies 8-bit tiles, and Linux lets the process use the registers: it must ask once, since they make
// each thread's saved state 8 KB larger (Documentation/arch/x86/xstate.rst of Linux).
bool hasAmx() {
#ifdef __linux__
    static const bool found = [] {
        constexpr unsigned amxTile = 1U << 24, amxInt8 = 1U << 25;
        constexpr long requestPermission = 0x1023, tileData = 18;
        const unsigned d = featureLeaf(0).d;
        if ((d & amxTile) == 0 || (d & amxInt8) == 0) return false;
        return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
    }();
    return found;
#else
    return false;
#endif
}

// The system's part is done by who chose the vectors. AVX-VNNI: bit 4 of EAX (Intel 64 and IA-32 Architectures Software
// Developer's Manual, volume 2, CPUID).
bool cpuHas(ByteProducts products) {
    const bool vnni = __builtin_cpu_supports("avx512vnni") != 0, avxVnni = (featureLeaf(1).a & (1U << 4)) != 0;
    switch (products) {
    case ByteProducts::None: return true;
    case ByteProducts::AvxVnni: return avxVnni;
    case ByteProducts::AvxVnniByEvex: return !avxVnni && vnni && __builtin_cpu_supports("avx512vl") != 0;
    case ByteProducts::Avx512Vnni: return vnni;
    case ByteProducts::Amx: return vnni && hasAmx();
    default: return false;
    }
}
#elif defined(__aarch64__)
// Bits of Documentation/arch/arm64/elf_hwcaps.rst of Linux; Apple's names of them.
bool cpuHas(ByteProducts products) {
#ifdef __linux__
    constexpr unsigned long dotProd = 1UL << 20, i8mm = 1UL << 13;
    if (products == ByteProducts::DotProd) return (getauxval(AT_HWCAP) & dotProd) != 0;
    if (products == ByteProducts::I8mm) return (getauxval(AT_HWCAP2) & i8mm) != 0;
#endif
#ifdef __APPLE__
    const auto feature = [](const char* name) {
        int value = 0;
        std::size_t size = sizeof value;
        return sysctlbyname(name, &value, &size, nullptr, 0) == 0 && value != 0;
    };
    if (products == ByteProducts::DotProd) return feature("hw.optional.arm.FEAT_DotProd");
    if (products == ByteProducts::I8mm) return feature("hw.optional.arm.FEAT_I8MM");
#endif
    return products == ByteProducts::None;
}
#else
bool cpuHas(ByteProducts products) { return products == ByteProducts::None; }
#endif

constexpr auto allProducts =
    std::to_array({ByteProducts::None, ByteProducts::AvxVnni, ByteProducts::AvxVnniByEvex, ByteProducts::Avx512Vnni,
                   ByteProducts::Amx, ByteProducts::DotProd, ByteProducts::I8mm});

// The best products that chooseSimd() allows.
ByteProducts mostAllowed = allProducts.back();

bool isThere(ByteProducts products) {
    return cpuHas(products) && oneTokenSimd(products).one[static_cast<std::size_t>(PanelType::Q8_0)] != nullptr;
}

} // namespace

std::vector<ByteProducts> byteProducts() {
    std::vector<ByteProducts> found{ByteProducts::None};
    for (const ByteProducts products : allProducts)
        if (products != ByteProducts::None && isThere(products)) found.push_back(products);
    return found;
}

Kernels simdKernels() {
    ByteProducts best = ByteProducts::None;
    for (const ByteProducts products : byteProducts())
        if (products <= mostAllowed) best = products;
    return simdKernels(best);
}

} // namespace cpu

namespace {

using cpu::ByteProducts;

struct ProductLevel {
    std::string_view name;
    std::int64_t vectors; // Highway's number of the vectors
    std::string_view vectorLevel;
    std::array<ByteProducts, 2> products; // by either
};

constexpr auto productLevels = std::to_array<ProductLevel>({
    {"AMX", HWY_AVX3, "AVX-512", {ByteProducts::Amx, ByteProducts::Amx}},
    {"AVX512-VNNI", HWY_AVX3, "AVX-512", {ByteProducts::Avx512Vnni, ByteProducts::Avx512Vnni}},
    {"AVX-VNNI", HWY_AVX2, "AVX2", {ByteProducts::AvxVnni, ByteProducts::AvxVnniByEvex}},
    {"NEON-i8mm", HWY_NEON, "NEON", {ByteProducts::I8mm, ByteProducts::I8mm}},
    {"NEON-dotprod", HWY_NEON, "NEON", {ByteProducts::DotProd, ByteProducts::DotProd}},
});

std::int64_t builtVectors() { return hwy::SupportedTargets() & HWY_TARGETS; }

bool isUsable(const ProductLevel& level) {
    return (builtVectors() & level.vectors) != 0 && std::ranges::any_of(level.products, cpu::cpuHas);
}

} // namespace

std::vector<std::string> simdLevels() {
    std::vector<std::string> names;
    for (int bit = 0; bit < 62; ++bit) { // better targets have lower bits
        const std::int64_t target = std::int64_t{1} << bit;
        if ((builtVectors() & target) == 0) continue;
        for (const ProductLevel& level : productLevels)
            if (level.vectors == target && isUsable(level)) names.emplace_back(level.name);
        names.emplace_back(target == HWY_AVX3 ? "AVX-512" : hwy::TargetName(target));
    }
    return names;
}

bool chooseSimd(std::string_view choice) {
    const auto level = std::ranges::find(productLevels, choice, &ProductLevel::name);
    if (level == productLevels.end()) {
        if (!quant::chooseSimd(choice)) return false;
        cpu::mostAllowed = choice.empty() || choice == "scalar" ? cpu::allProducts.back() : ByteProducts::None;
        return true;
    }
    if (!isUsable(*level) || !quant::chooseSimd(level->vectorLevel)) return false;
    cpu::mostAllowed = level->products.back();
    return true;
}

} // namespace wb::infer
