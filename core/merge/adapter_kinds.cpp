// SPDX-License-Identifier: MIT
#include "core/merge/adapter_kinds.h"

#include "core/formats/peft/peft.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace wb::merge {
namespace {

constexpr std::uint64_t defaultTerms = 5; // of OFT's series

const Value* setMember(const ValueObject& config, std::string_view key) {
    const Value* const value = config.find(key);
    return value && value->type != ValueType::Null ? value : nullptr;
}

bool isTrue(const ValueObject& config, std::string_view key) {
    const Value* const value = setMember(config, key);
    const bool* const truth = value ? std::get_if<bool>(&value->data) : nullptr;
    return truth && *truth;
}

class KindReader {
public:
    KindReader(const Model& adapter, const ValueObject& config, const std::function<std::string(std::string)>& moduleName)
        : m_adapter(adapter), m_config(config), m_moduleName(moduleName) {
        for (const TensorInfo& tensor : adapter.tensors)
            if (!tensor.logical) m_stored.emplace(tensor.name, &tensor);
    }

    Result<KindParts> run() {
        const Value* const type = setMember(m_config, "peft_type");
        const std::string kind = type && type->string() ? *type->string() : "LORA";
        if (kind == "LORA") {
            WB_TRY(addDora());
            WB_TRY(addExperts());
        } else if (kind == "ADALORA") WB_TRY(addAll(".lora_A", {".lora_A", ".lora_B", ".lora_E"}, ChangeKind::AdaLora));
        else if (kind == "VERA") WB_TRY(addVera());
        else if (kind == "LOHA")
            WB_TRY(addAll(".hada_w1_a", {".hada_w1_a", ".hada_w1_b", ".hada_w2_a", ".hada_w2_b"}, ChangeKind::LoHa));
        else if (kind == "LOKR") WB_TRY(addKronecker());
        else if (kind == "IA3") WB_TRY(addAll(".ia3_l", {".ia3_l"}, ChangeKind::Ia3));
        else if (kind == "OFT") WB_TRY(addRotations());
        else return unsupported(kind);
        return std::move(m_parts);
    }

private:
    std::unexpected<Error> unsupported(std::string_view kind) const {
        return fail(ErrorCode::Unsupported, Reason("merge.adapter_kind"), About{io::baseName(m_adapter.path)},
                    WB_TEXT("The adapter {} uses {}, which cannot be merged yet."), io::baseName(m_adapter.path), kind);
    }

    std::unexpected<Error> noScale(std::string_view module) const {
        return fail(ErrorCode::Malformed, Reason("merge.no_alpha"), About{io::baseName(m_adapter.path)},
                    WB_TEXT("adapter_config.json of {} does not state the rank and alpha of {} plainly, so its scale is unknown."),
                    io::baseName(m_adapter.path), module);
    }

    // The modules that have a tensor with this ending.
    std::vector<std::string> modules(std::string_view ending) const {
        std::vector<std::string> found;
        for (const auto& [name, tensor] : m_stored)
            if (name.ends_with(ending)) found.emplace_back(name.substr(0, name.size() - ending.size()));
        return found;
    }

    std::optional<double> number(std::string_view key, std::string_view patterns, std::string_view module) const {
        return peft::moduleNumber(m_config, key, patterns, module);
    }

    // alpha / rank, for AdaLoRA as PEFT divides.
    Result<double> scale(ChangeKind kind, const std::string& module, const std::vector<std::string>& tensors) const {
        if (kind == ChangeKind::Ia3 || kind == ChangeKind::Oft || kind == ChangeKind::Vera) return 1;
        const bool isLyco = kind == ChangeKind::LoHa || kind == ChangeKind::LoKr;
        const auto alpha = number(isLyco ? "alpha" : "lora_alpha", "alpha_pattern", module);
        auto rank = number("r", "rank_pattern", module);
        if (kind == ChangeKind::AdaLora) rank = static_cast<double>(m_stored.at(tensors[0])->shape[0]) + 1e-5;
        if (kind == ChangeKind::LoHa) rank = static_cast<double>(m_stored.at(tensors[1])->shape[0]);
        if (!alpha || !rank || !(*rank > 0)) return noScale(module);
        return *alpha / (isTrue(m_config, "use_rslora") ? std::sqrt(*rank) : *rank);
    }

    Result<void> push(ModuleChange change, const std::string& module) {
        for (const std::string& tensor : change.tensors) {
            const auto stored = m_stored.find(tensor);
            if (stored == m_stored.end() || stored->second->shape.rank() == 0)
                return fail(ErrorCode::Malformed, Reason("merge.no_partner"), About{tensor},
                            WB_TEXT("The adapter {} is missing {}, which the other tensors of the module need."),
                            io::baseName(m_adapter.path), tensor);
        }
        change.isTransposed = isTrue(m_config, "fan_in_fan_out");
        if (change.target.empty()) change.target = m_moduleName(module) + ".weight";
        WB_TRY_ASSIGN(change.scale, scale(change.kind, module, change.tensors));
        m_parts.tensors.insert(m_parts.tensors.end(), change.tensors.begin(), change.tensors.end());
        m_parts.changes.push_back(std::move(change));
        return {};
    }

    Result<void> addAll(std::string_view ending, std::initializer_list<std::string_view> endings, ChangeKind kind) {
        for (const std::string& module : modules(ending)) {
            ModuleChange change{.kind = kind, .target = {}, .tensors = {}};
            for (const std::string_view each : endings) change.tensors.push_back(module + std::string(each));
            if (kind == ChangeKind::Ia3) change.ofInputs = m_stored.at(change.tensors[0])->shape.dimensions().front() == 1;
            WB_TRY(push(std::move(change), module));
        }
        return {};
    }

    Result<void> addDora() {
        for (const std::string ending : {".lora_magnitude_vector", ".lora_magnitude_vector.weight"})
            for (const std::string& module : modules(ending)) {
                ModuleChange change{.kind = ChangeKind::Dora, .target = {}, .tensors = {}};
                change.tensors = {module + ".lora_A.weight", module + ".lora_B.weight", module + ending};
                WB_TRY(push(std::move(change), module));
            }
        return {};
    }

    // Parameters of experts are not modules: those of one module are nested, and their shapes tell which is whose.
    Result<void> addExperts() {
        const Value* const listed = setMember(m_config, "target_parameters");
        const ValueArray* const parameters = listed ? listed->array() : nullptr;
        if (!parameters) return {};
        for (const std::string& module : modules(".lora_A.weight")) {
            const std::string base = m_moduleName(module);
            std::string targets;
            for (const Value& parameter : parameters->first) {
                const std::string path = parameter.string() ? *parameter.string() : "";
                const std::size_t dot = path.rfind('.');
                if (dot != std::string::npos && (base == path.substr(0, dot) || base.ends_with("." + path.substr(0, dot))))
                    targets += (targets.empty() ? "" : "|") + base + path.substr(dot);
            }
            if (targets.empty()) continue;
            ModuleChange change{.kind = ChangeKind::Experts, .target = targets, .tensors = {}};
            change.tensors = {module + ".lora_A.weight", module + ".lora_B.weight"};
            WB_TRY(push(std::move(change), module));
        }
        return {};
    }

    Result<void> addVera() {
        if (!m_stored.contains("base_model.vera_A") || !m_stored.contains("base_model.vera_B"))
            return unsupported(WB_TEXT("VeRA without its shared projections (save_projection)"));
        for (const std::string& module : modules(".vera_lambda_b")) {
            ModuleChange change{.kind = ChangeKind::Vera, .target = {}, .tensors = {}};
            change.tensors = {module + ".vera_lambda_b", module + ".vera_lambda_d", "base_model.vera_A", "base_model.vera_B"};
            WB_TRY(push(std::move(change), module));
        }
        return {};
    }

    Result<void> addKronecker() {
        std::vector<std::string> all = modules(".lokr_w1");
        std::ranges::move(modules(".lokr_w1_a"), std::back_inserter(all));
        for (const std::string& module : all) {
            ModuleChange change{.kind = ChangeKind::LoKr, .target = {}, .tensors = {}};
            for (const int i : {0, 1}) {
                const std::string stem = fmt::format("{}.lokr_w{}", module, i + 1);
                change.hasProducts[i] = !m_stored.contains(stem);
                if (change.hasProducts[i]) change.tensors.push_back(stem + "_a"), change.tensors.push_back(stem + "_b");
                else change.tensors.push_back(stem);
            }
            WB_TRY(push(std::move(change), module));
        }
        return {};
    }

    Result<void> addRotations() {
        const Value* const usesSeries = m_config.find("use_cayley_neumann");
        const bool* const isSeries = usesSeries ? std::get_if<bool>(&usesSeries->data) : nullptr;
        if (!isSeries) return unsupported(WB_TEXT("OFT of earlier versions of PEFT"));
        if (isTrue(m_config, "coft") || isTrue(m_config, "block_share"))
            return unsupported(WB_TEXT("OFT with constraints or shared blocks"));
        const auto terms = number("num_cayley_neumann_terms", "", "").value_or(static_cast<double>(defaultTerms));
        if (!(terms >= 1 && terms <= 64)) return unsupported(WB_TEXT("OFT with such a number of terms"));
        for (const std::string& module : modules(".oft_R.weight")) {
            ModuleChange change{.kind = ChangeKind::Oft, .target = {}, .tensors = {module + ".oft_R.weight"}};
            change.terms = *isSeries ? static_cast<std::uint64_t>(terms) : 0;
            WB_TRY(push(std::move(change), module));
        }
        return {};
    }

    const Model& m_adapter;
    const ValueObject& m_config;
    const std::function<std::string(std::string)>& m_moduleName;
    std::map<std::string, const TensorInfo*, std::less<>> m_stored;
    KindParts m_parts;
};

} // namespace

Result<KindParts> peftKind(const Model& adapter, const ValueObject& config,
                           const std::function<std::string(std::string)>& moduleName) {
    return KindReader(adapter, config, moduleName).run();
}

} // namespace wb::merge
