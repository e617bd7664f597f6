// SPDX-License-Identifier: MIT
#include "core/hub/variants.h"

#include "core/arch/model_name.h"
#include "core/base/ascii.h"
#include "core/base/checked.h"
#include "core/base/split_name.h"
#include "core/quant/mix/recommendation.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace wb::hub {
namespace {

std::string_view ownName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool isHelper(const std::string& name) {
    static constexpr std::array beginnings = {"mmproj", "mtp-", "eagle3-", "dflash-", "dspark-", "imatrix"};
    return name.find("mmproj") != std::string::npos ||
           std::ranges::any_of(beginnings, [&](const char* beginning) { return name.starts_with(beginning); });
}

VariantKind kindFromPath(std::string_view path) {
    const std::string name = ascii::lowered(ownName(path));
    if (name.ends_with(".gguf")) return isHelper(name) ? VariantKind::Helper : VariantKind::Gguf;
    for (const char* ending : {".safetensors", ".bin", ".pt", ".pth", ".onnx", ".h5", ".msgpack", ".tflite"})
        if (name.ends_with(ending)) return VariantKind::Weights;
    return VariantKind::Other;
}

// The name of all parts of a split; of any other file its own.
std::string setFromPath(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) return path;
    const auto split = parseSplitName(std::string_view(path).substr(0, dot));
    return split ? std::string(split->stem) + path.substr(dot) : path;
}

std::string labelFromSet(const std::string& set) {
    const std::string type = arch::parseModelName(ownName(set)).quantization;
    std::string label = type.empty() ? std::string(ownName(set)) : type;
    if (!type.empty()) std::ranges::transform(label, label.begin(), ascii::upper);
    return label;
}

Recommendation recommendationFor(const std::string& label, bool isUnnoticed, double divergence, bool weighted) {
    const auto make = [&]<class... Values>(const char* sentence, const Values&... values) {
        return makeError(ErrorCode::Invalid, Reason("hub.recommended"), About{label}, sentence, values...);
    };
    const char* const reason =
        isUnnoticed ? WB_TEXT("{} is recommended: the smallest file that fits in memory with a barely noticeable loss of quality.")
                    : WB_TEXT("{} is recommended: it has the lowest loss of quality of the files that fit in memory.");
    const char* const figure =
        weighted ? WB_TEXT("Mean KL divergence from the unquantized model: {} with an importance matrix (Llama 3 8B; llama.cpp, "
                           "tools/perplexity). Files of other models are similar.")
                 : WB_TEXT("Mean KL divergence from the unquantized model: {} without an importance matrix (Llama 3 8B; llama.cpp, "
                           "tools/perplexity). Files of other models are similar.");
    return {make(reason, label), make(figure, divergence)};
}

} // namespace

std::string quantLabel(std::string_view path) {
    if (kindFromPath(path) != VariantKind::Gguf) return {};
    std::string label = arch::parseModelName(ownName(path)).quantization;
    std::ranges::transform(label, label.begin(), ascii::upper);
    return label;
}

double Variant::bitsPerWeight(std::uint64_t parameters) const {
    return parameters == 0 ? 0 : static_cast<double>(bytes) * 8 / static_cast<double>(parameters);
}

std::optional<quant::FileType> fileTypeOfLabel(std::string_view label) {
    if (label.starts_with("UD-")) label.remove_prefix(3);
    return quant::fileTypeFromName(label);
}

std::vector<Variant> groupVariants(const std::vector<RemoteFile>& files) {
    std::map<std::string, Variant> sets;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].refusal) continue;
        Variant& variant = sets[setFromPath(files[i].path)];
        variant.kind = kindFromPath(files[i].path);
        variant.files.push_back(i);
        variant.bytes = checked::add(variant.bytes, files[i].bytes).value_or(std::numeric_limits<std::uint64_t>::max());
    }
    std::vector<Variant> variants;
    for (auto& [set, variant] : sets) {
        std::ranges::sort(variant.files, {}, [&](std::size_t file) { return files[file].path; });
        const bool isModel = variant.kind == VariantKind::Gguf;
        variant.label = isModel ? labelFromSet(set) : std::string(ownName(set));
        if (const auto type = isModel ? fileTypeOfLabel(variant.label) : std::nullopt)
            variant.divergence = quant::publishedDivergence(*type);
        variants.push_back(std::move(variant));
    }
    std::ranges::stable_sort(variants, [](const Variant& a, const Variant& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.kind != VariantKind::Other && a.bytes > b.bytes;
    });
    return variants;
}

std::uint64_t roughNeed(std::uint64_t fileBytes) {
    constexpr std::uint64_t buffers = 512u << 20, cacheShare = 10;
    return checked::add(fileBytes, fileBytes / cacheShare + buffers).value_or(std::numeric_limits<std::uint64_t>::max());
}

std::optional<Recommendation> recommend(std::vector<Variant>& variants, std::optional<std::uint64_t> freeMemory) {
    if (std::ranges::count(variants, VariantKind::Gguf, &Variant::kind) < 2) return std::nullopt;
    for (const bool weighted : {false, true}) {
        std::vector<quant::TypeOffer> offers;
        for (const Variant& each : variants)
            offers.push_back({each.bytes, weighted ? each.divergence.weighted : each.divergence.plain,
                              !freeMemory || roughNeed(each.bytes) <= *freeMemory});
        const auto advice = quant::adviseType(offers, quant::unnoticedDivergence);
        if (!advice) continue;
        Variant& chosen = variants[advice->offer];
        chosen.isRecommended = true;
        return recommendationFor(chosen.label, advice->isUnnoticed, *offers[advice->offer].loss, weighted);
    }
    return std::nullopt;
}

} // namespace wb::hub
