// SPDX-License-Identifier: MIT
#include "core/hub/variants.h"

#include "core/arch/model_name.h"
#include "core/base/ascii.h"
#include "core/base/checked.h"
#include "core/base/split_name.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace wb::hub {
namespace {

struct Measured {
    std::string_view type;
    double divergence;
};

// Made with an importance matrix where the table has both.
constexpr std::array measuredTypes = {
    Measured{"F16", 0.0006},     Measured{"Q8_0", 0.0014},   Measured{"Q6_K", 0.0055},    Measured{"Q5_K_M", 0.0108},
    Measured{"Q5_K_S", 0.0166},  Measured{"Q5_1", 0.0180},   Measured{"Q5_0", 0.0222},    Measured{"Q4_K_M", 0.0282},
    Measured{"Q4_K_S", 0.0320},  Measured{"IQ4_NL", 0.0357}, Measured{"IQ4_XS", 0.0363},  Measured{"Q4_1", 0.0717},
    Measured{"Q4_0", 0.0719},    Measured{"Q3_K_L", 0.0731}, Measured{"Q3_K_M", 0.0844},  Measured{"IQ3_M", 0.1025},
    Measured{"IQ3_S", 0.1113},   Measured{"IQ3_XS", 0.1387}, Measured{"IQ3_XXS", 0.1836}, Measured{"Q3_K_S", 0.1998},
    Measured{"IQ2_M", 0.3260},   Measured{"Q2_K", 0.332},    Measured{"IQ2_S", 0.4392},   Measured{"IQ2_XS", 0.5463},
    Measured{"IQ2_XXS", 0.8120}, Measured{"IQ1_M", 1.39},    Measured{"IQ1_S", 2.2}};

constexpr std::array goodEnough = {0.02, 0.04, 0.11}; // "very close", "good", "noticeable"

std::string_view ownName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool isHelper(const std::string& name) {
    static constexpr std::array beginnings = {"mmproj", "mtp-", "eagle3-", "dflash-", "dspark-", "imatrix"};
    return name.find("mmproj") != std::string::npos ||
           std::ranges::any_of(beginnings, [&](const char* beginning) { return name.starts_with(beginning); });
}

VariantKind kindOf(std::string_view path) {
    const std::string name = ascii::lowered(ownName(path));
    if (name.ends_with(".gguf")) return isHelper(name) ? VariantKind::Helper : VariantKind::Gguf;
    for (const char* ending : {".safetensors", ".bin", ".pt", ".pth", ".onnx", ".h5", ".msgpack", ".tflite"})
        if (name.ends_with(ending)) return VariantKind::Weights;
    return VariantKind::Other;
}

// The name of all parts of a split; of any other file its own.
std::string setOf(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) return path;
    const auto split = parseSplitName(std::string_view(path).substr(0, dot));
    return split ? std::string(split->stem) + path.substr(dot) : path;
}

std::string labelOf(const std::string& set) {
    const std::string type = arch::parseModelName(ownName(set)).quantization;
    std::string label = type.empty() ? std::string(ownName(set)) : type;
    if (!type.empty()) std::ranges::transform(label, label.begin(), ascii::upper);
    return label;
}

} // namespace

std::string quantLabel(std::string_view path) {
    if (kindOf(path) != VariantKind::Gguf) return {};
    std::string label = arch::parseModelName(ownName(path)).quantization;
    std::ranges::transform(label, label.begin(), ascii::upper);
    return label;
}

double Variant::bitsPerWeight(std::uint64_t parameters) const {
    return parameters == 0 ? 0 : static_cast<double>(bytes) * 8 / static_cast<double>(parameters);
}

std::optional<double> measuredDivergence(std::string_view label) {
    if (label.starts_with("UD-")) label.remove_prefix(3);
    const auto* found = std::ranges::find(measuredTypes, label, &Measured::type);
    if (found == measuredTypes.end()) return std::nullopt;
    return found->divergence;
}

std::vector<Variant> groupVariants(const std::vector<RemoteFile>& files) {
    std::map<std::string, Variant> sets;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].refusal) continue;
        Variant& variant = sets[setOf(files[i].path)];
        variant.kind = kindOf(files[i].path);
        variant.files.push_back(i);
        variant.bytes = checked::add(variant.bytes, files[i].bytes).value_or(std::numeric_limits<std::uint64_t>::max());
    }
    std::vector<Variant> variants;
    for (auto& [set, variant] : sets) {
        std::ranges::sort(variant.files, {}, [&](std::size_t file) { return files[file].path; });
        const bool isModel = variant.kind == VariantKind::Gguf;
        variant.label = isModel ? labelOf(set) : std::string(ownName(set));
        if (isModel) variant.divergence = measuredDivergence(variant.label);
        variants.push_back(std::move(variant));
    }
    std::ranges::stable_sort(variants, [](const Variant& a, const Variant& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.kind != VariantKind::Other && a.bytes > b.bytes;
    });
    return variants;
}

std::optional<Error> recommend(std::vector<Variant>& variants, std::uint64_t parameters) {
    const double limit = parameters > 0 && parameters < 4'000'000'000 ? goodEnough[0]
                         : parameters >= 30'000'000'000               ? goodEnough[2]
                                                                      : goodEnough[1];
    Variant* chosen = nullptr;
    bool isGood = false;
    for (Variant& variant : variants) {
        if (variant.kind != VariantKind::Gguf || !variant.divergence) continue;
        const bool isThisGood = *variant.divergence <= limit;
        const bool isBetter = !chosen || (isThisGood != isGood ? isThisGood
                                          : isGood             ? variant.bytes < chosen->bytes
                                                               : *variant.divergence < *chosen->divergence);
        if (!isBetter) continue;
        chosen = &variant;
        isGood = isThisGood;
    }
    if (!chosen) return std::nullopt;
    chosen->isRecommended = true;
    if (isGood)
        return makeError(ErrorCode::Invalid, Reason("hub.recommended"), About{chosen->label},
                         WB_TEXT("{} is the smallest file that loses little: its type has a mean KLD of {} on Llama-3-8B "
                                 "(llama.cpp, tools/perplexity)."),
                         chosen->label, *chosen->divergence);
    return makeError(ErrorCode::Invalid, Reason("hub.recommended"), About{chosen->label},
                     WB_TEXT("{} loses least of these files: its type has a mean KLD of {} on Llama-3-8B (llama.cpp, "
                             "tools/perplexity)."),
                     chosen->label, *chosen->divergence);
}

} // namespace wb::hub
