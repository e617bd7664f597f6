// SPDX-License-Identifier: MIT
#include "core/merge/adapter_kinds.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>
#include <map>

// kohya-ss/sd-scripts: networks/lora.py; KohakuBlueleaf/LyCORIS: lycoris/modules.
namespace wb::merge {
namespace {

constexpr std::array<std::string_view, 6> prefixes = {"lora_unet_", "lora_te_", "lora_te1_", "lora_te2_", "lora_te3_", "lycoris_"};

std::string_view withoutPrefix(std::string_view name) {
    for (const std::string_view prefix : prefixes)
        if (name.starts_with(prefix)) return name.substr(prefix.size());
    return {};
}

// The tensors of one module by the rest of their names, from the first dot on.
using Members = std::map<std::string, const TensorInfo*, std::less<>>;

class KohyaReader {
public:
    explicit KohyaReader(const Model& adapter) : m_adapter(adapter) {
        for (const TensorInfo& tensor : adapter.tensors)
            if (const std::string_view name = tensor.name; !tensor.logical && !withoutPrefix(name).empty())
                m_modules[name.substr(0, name.find('.'))].emplace(name.substr(std::min(name.find('.') + 1, name.size())), &tensor);
    }

    Result<KindParts> run() {
        for (const auto& [module, members] : m_modules) WB_TRY(add(module, members));
        return std::move(m_parts);
    }

private:
    std::unexpected<Error> unknown(const TensorInfo& tensor) const {
        return fail(ErrorCode::Unsupported, Reason("merge.adapter_tensor"), About{tensor.name},
                    WB_TEXT("The tensor {} of the adapter {} is not a LoRA, LoHa or LoKr tensor, so it cannot be merged."),
                    tensor.name, io::baseName(m_adapter.path));
    }

    Result<void> add(std::string_view module, const Members& members) {
        ModuleChange change;
        change.target = withoutPrefix(module);
        std::uint64_t rank = 0; // 0: nothing is scaled
        const auto has = [&members](std::string_view name) { return members.contains(name); };
        std::vector<std::string> used = {"alpha"};
        const auto use = [&](std::string name) {
            change.tensors.push_back(std::string(module) + "." + name);
            used.push_back(std::move(name));
        };
        if (has("lora_down.weight") && has("lora_up.weight")) {
            change.kind = has("dora_scale") ? ChangeKind::Dora : ChangeKind::Product;
            use("lora_down.weight"), use("lora_up.weight");
            if (has("dora_scale")) use("dora_scale");
            rank = firstSide(members, "lora_down.weight");
        } else if (has("hada_w1_a")) {
            change.kind = ChangeKind::LoHa;
            for (const char* const name : {"hada_w1_a", "hada_w1_b", "hada_w2_a", "hada_w2_b"}) use(name);
            rank = firstSide(members, "hada_w1_b");
        } else if (has("lokr_w1") || has("lokr_w1_a")) {
            change.kind = ChangeKind::LoKr;
            for (const int i : {0, 1}) {
                const std::string stem = fmt::format("lokr_w{}", i + 1);
                change.hasProducts[i] = !has(stem);
                if (!change.hasProducts[i]) use(stem);
                else use(stem + "_a"), use(stem + "_b");
                if (change.hasProducts[i]) rank = firstSide(members, stem + "_b");
            }
        }
        for (const auto& [name, tensor] : members)
            if (std::ranges::find(used, name) == used.end()) return unknown(*tensor);
        for (const std::string& name : used)
            if (name != "alpha" && !has(name)) return unknown(*members.begin()->second);
        if (change.tensors.empty()) return unknown(*members.begin()->second);
        if (const auto alpha = members.find("alpha"); alpha != members.end() && rank > 0) {
            WB_TRY_ASSIGN(const double value, readNumber(*alpha->second));
            change.scale = value / static_cast<double>(rank);
        }
        m_parts.tensors.insert(m_parts.tensors.end(), change.tensors.begin(), change.tensors.end());
        if (has("alpha")) m_parts.tensors.push_back(std::string(module) + ".alpha");
        m_parts.changes.push_back(std::move(change));
        return {};
    }

    static std::uint64_t firstSide(const Members& members, std::string_view name) {
        const auto found = members.find(name);
        return found == members.end() || found->second->shape.rank() == 0 ? 0 : found->second->shape[0];
    }

    Result<double> readNumber(const TensorInfo& tensor) const {
        if (tensor.shape.elements() != 1) return unknown(tensor);
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_adapter, tensor));
        float value = 0;
        std::vector<std::byte> scratch;
        WB_TRY(reader.readF32(0, {&value, 1}, scratch));
        return value;
    }

    const Model& m_adapter;
    std::map<std::string_view, Members> m_modules;
    KindParts m_parts;
};

} // namespace

bool isKohya(const Model& adapter) {
    return adapter.format != FormatId::Peft && std::ranges::any_of(adapter.tensors, [](const TensorInfo& tensor) {
               return !withoutPrefix(tensor.name).empty() && tensor.name.find('.') != std::string::npos;
           });
}

Result<KindParts> kohyaKind(const Model& adapter) { return KohyaReader(adapter).run(); }

std::string kohyaKey(std::string_view tensor) {
    if (tensor.ends_with(".weight")) tensor.remove_suffix(7);
    std::string key(tensor);
    std::ranges::replace(key, '.', '_');
    return key;
}

} // namespace wb::merge
