// SPDX-License-Identifier: MIT
#include "app/cli/infer/engine_options.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace wb::cli {
namespace {

std::optional<infer::CacheType> cacheTypeFromName(std::string_view name) {
    using enum infer::CacheType;
    if (name == "f16") return F16;
    if (name == "f32") return F32;
    return name == "q8_0" ? std::optional(Q8_0) : std::nullopt;
}

// K or K,V.
std::optional<std::pair<infer::CacheType, infer::CacheType>> cacheTypesFromText(std::string_view text) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto keys = cacheTypeFromName(text.substr(0, comma));
    const auto values = comma < text.size() ? cacheTypeFromName(text.substr(comma + 1)) : keys;
    return keys && values ? std::optional(std::pair(*keys, *values)) : std::nullopt;
}

std::optional<std::uint64_t> layersFromText(std::string_view text) {
    if (text == "all") return std::numeric_limits<std::uint64_t>::max();
    std::uint64_t layers = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), layers);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(layers) : std::nullopt;
}

} // namespace

void addCacheTypes(CLI::App& command, infer::EngineOptions& options) {
    command
        .add_option_function<std::string>(
            "--kv", [&options](const std::string& text) { std::tie(options.keys, options.values) = *cacheTypesFromText(text); },
            "KV cache type, or K and V types: f16 (default), f32 or q8_0")
        ->type_name("K[,V]")
        ->check([](const std::string& text) {
            return cacheTypesFromText(text) ? "" : text + " is not f16, f32 or q8_0, or two of them for keys and values";
        });
}

void addGpuOptions(CLI::App& command, infer::EngineOptions& options) {
    command
        .add_option_function<std::string>(
            "--gpu-layers", [&options](const std::string& text) { options.gpuLayers = layersFromText(text); },
            "Number of layers to offload to the GPU, counted from the last (the output layer counts as one), or all")
        ->type_name("N|all")
        ->check([](const std::string& text) { return layersFromText(text) ? "" : text + " is not a number of layers or all"; });
    command.add_flag_callback(
        "--exact", [&options] { options.kernels = infer::KernelSet::Exact; },
        "Use only GPU kernels that give the bits of the CPU, not faster ones that sum in another order");
}

} // namespace wb::cli
