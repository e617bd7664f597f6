// SPDX-License-Identifier: MIT
#include "app/cli/infer/cpu_info.h"

#include "core/quant/quantize.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <span>

#ifdef _WIN32
#include <windows.h>
#endif
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

namespace wb::cli {

#if defined(__APPLE__)
std::string cpuName() {
    char name[256] = {};
    std::size_t size = sizeof name - 1;
    return sysctlbyname("machdep.cpu.brand_string", name, &size, nullptr, 0) == 0 ? name : "";
}
#elif defined(_WIN32)
std::string cpuName() {
    char name[256] = {};
    DWORD size = sizeof name - 1;
    const LSTATUS status = RegGetValueA(HKEY_LOCAL_MACHINE, "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                                        "ProcessorNameString", RRF_RT_REG_SZ, nullptr, name, &size);
    return status == ERROR_SUCCESS ? name : "";
}
#else
std::string cpuName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return {};
}
#endif

bool cpuSelfTest() {
    std::vector<float> row(512), weights(512);
    for (std::size_t at = 0; at < row.size(); ++at) {
        row[at] = std::sin(static_cast<float>(at) * 0.37f) * (at % 91 == 0 ? 4.0f : 0.1f);
        weights[at] = 1.0f + static_cast<float>(at % 7);
    }
    for (const DtypeInfo& type : allDtypes()) {
        if (!quant::canQuantize(type.dtype)) continue;
        const auto bytes = rowBytes(type.dtype, row.size());
        if (!bytes) continue;
        std::vector<std::byte> fast(*bytes), slow(*bytes);
        const std::span<const float> used =
            quant::weightUse(type.dtype) == quant::WeightUse::Ignored ? std::span<const float>() : weights;
        quant::quantizeRow(type.dtype, row, used, fast);
        quant::scalar::quantizeRow(type.dtype, row, used, slow);
        if (fast != slow) return false;
    }
    return true;
}

} // namespace wb::cli
