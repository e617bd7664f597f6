// SPDX-License-Identifier: MIT
#include "core/convert/gguf/adapter_plan.h"

#include "core/convert/gguf/tensor_names.h"
#include "core/merge/adapters.h"
#include "core/model/recipe.h"

#include <algorithm>
#include <cmath>

namespace wb::convert {
namespace {

// Another tensor times a number, in f32.
class ScaledRecipe final : public F32Recipe {
public:
    ScaledRecipe(std::string input, float factor) : m_inputs{std::move(input)}, m_factor(factor) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        if (dtype == Dtype::F32 && inputs[0].shape() == shape) return {};
        return fail(ErrorCode::Malformed, Reason("convert.scaled_input"), About{m_inputs[0]},
                    WB_TEXT("{} changed since the file was opened."), m_inputs[0]);
    }
    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override {
        std::vector<std::byte> scratch;
        WB_TRY(inputs[0].readF32(first, out, scratch));
        for (float& value : out) value *= m_factor;
        return {};
    }

private:
    std::vector<std::string> m_inputs;
    float m_factor;
};

class AdapterPlanner {
public:
    AdapterPlanner(ConvertPlan& plan, const Model& adapter, const SourceFolder& base, const std::string& modelName)
        : m_plan(plan), m_model(std::make_shared<Model>(adapter)), m_base(base), m_modelName(modelName) {}

    Result<void> run() {
        WB_TRY_ASSIGN(m_family, familyOfConfig(m_base.config));
        WB_TRY_ASSIGN(m_spec, arch::specOfConfig(m_base.config, "config.json"));
        WB_TRY_ASSIGN(m_parts, merge::adapterParts(*m_model));
        WB_TRY(refuseOthers());
        m_alpha = readAlpha();
        WB_TRY(addTensors());
        m_plan.folder.model = m_model;
        for (const ModelFile& file : m_model->files) m_plan.folder.files.push_back({file.name, file.identity});
        addPairs();
        return layOut(m_plan, m_pairs.stored());
    }

private:
    std::unexpected<Error> cannotSay(const std::string& name) const {
        return fail(ErrorCode::Unsupported, Reason("convert.adapter_tensor"), About{name},
                    WB_TEXT("A GGUF adapter cannot contain {}; merge the adapter into its base model instead (wb merge)."), name);
    }

    Result<void> refuseOthers() const {
        if (!m_parts.replaced.empty()) return cannotSay(m_parts.replaced.front().second);
        if (!m_parts.changes.empty()) return cannotSay(m_parts.changes.front().tensors.front());
        if (!m_parts.biases.empty()) return cannotSay(m_parts.biases.front().second);
        for (const merge::LowRank& matrix : m_parts.matrices)
            if (matrix.isEmbedding) return cannotSay(matrix.a);
        return {};
    }

    // The number by which most matrices get their factor from the runtime, which divides it by the rank: what lora_alpha says, for
    // rsLoRA times the root of the rank.
    double readAlpha() const {
        const auto alphaOfMatrix = [](const merge::LowRank& matrix) { return matrix.scale * static_cast<double>(matrix.rank); };
        if (m_parts.alpha)
            for (const merge::LowRank& matrix : m_parts.matrices)
                if (alphaOfMatrix(matrix) == *m_parts.alpha) return *m_parts.alpha;
        std::vector<double> all;
        for (const merge::LowRank& matrix : m_parts.matrices) all.push_back(alphaOfMatrix(matrix));
        return *std::ranges::max_element(all, {}, [&all](double alpha) { return std::ranges::count(all, alpha); });
    }

    // In the adapter's order, A before B.
    Result<void> addTensors() {
        for (std::size_t i = 0; i < m_model->tensors.size(); ++i) {
            const auto matrix = std::ranges::find(m_parts.matrices, m_model->tensors[i].name, &merge::LowRank::a);
            if (m_model->tensors[i].logical || matrix == m_parts.matrices.end()) continue;
            WB_TRY(addMatrix(*matrix, i));
        }
        return {};
    }

    struct Target {
        std::string name; // of the weight in the base's GGUF file
        std::uint64_t heads = 0;
    };

    Result<Target> matrixTarget(const merge::LowRank& matrix) const {
        const std::string whole = merge::plainName(matrix.module + ".weight");
        std::string_view inner = whole;
        std::string prefix;
        std::uint64_t layerNumber = 0;
        std::span<const TensorRule> rules = m_family.rules->outer;
        if (inner.starts_with(m_family.rules->layerPrefix)) {
            inner.remove_prefix(m_family.rules->layerPrefix.size());
            const auto layer = takeNumber(inner);
            if (!layer || *layer >= m_spec.layers.size() || !inner.starts_with('.')) return cannotSay(matrix.a);
            inner.remove_prefix(1);
            prefix = fmt::format("blk.{}.", *layer);
            layerNumber = *layer;
            rules = m_family.rules->layer;
        }
        for (const TensorRule& rule : rules) {
            if (!matchRule(rule, parseTensorName(inner))) continue;
            const bool isQueries = rule.transform == Transform::PermuteQueries, isKeys = rule.transform == Transform::PermuteKeys;
            const bool isPlain = rule.transform == Transform::Copy || rule.transform == Transform::Transpose || isQueries || isKeys;
            if (!isPlain) return cannotSay(matrix.a);
            const arch::LayerSpec& of = m_spec.layers[layerNumber];
            const std::uint64_t heads = isQueries ? of.heads : isKeys ? of.kvHeads : 0;
            return Target{prefix + std::string(rule.target) + ".weight", m_family.rules->permutes ? heads : 0};
        }
        return fail(
            ErrorCode::Unsupported, Reason("convert.unmapped_tensor"), About{matrix.a},
            WB_TEXT("The adapter modifies {}, which models of the architecture {} do not have; check that this is its base model."),
            matrix.module, m_family.family->architecture);
    }

    Result<void> addMatrix(const merge::LowRank& matrix, std::size_t a) {
        WB_TRY_ASSIGN(const Target target, matrixTarget(matrix));
        const auto stored =
            std::ranges::find_if(m_model->tensors, [&](const TensorInfo& t) { return !t.logical && t.name == matrix.b; });
        auto b = static_cast<std::size_t>(stored - m_model->tensors.begin());
        if (target.heads > 0 && m_model->tensors[b].shape[0] % (2 * target.heads) != 0) return cannotSay(matrix.b);
        const double factor = matrix.scale * static_cast<double>(matrix.rank) / m_alpha;
        if (factor != 1) b = addScaled(b, static_cast<float>(factor));
        push(target.name + ".lora_a", a, 0);
        push(target.name + ".lora_b", b, target.heads);
        return {};
    }

    std::size_t addScaled(std::size_t index, float factor) {
        TensorInfo scaled = m_model->tensors[index];
        auto details = std::make_shared<TensorDetails>();
        details->scheme = fmt::format("times {:g}", factor);
        scaled.name += fmt::format(" * {:g}", factor);
        scaled.source = TensorSource::recipe(std::make_shared<ScaledRecipe>(m_model->tensors[index].name, factor), scaled.bytes());
        scaled.dtype = Dtype::F32;
        scaled.logical = true;
        scaled.details = std::move(details);
        m_model->tensors.push_back(std::move(scaled));
        return m_model->tensors.size() - 1;
    }

    void push(std::string name, std::size_t source, std::uint64_t heads) {
        const TensorInfo& stored = m_model->tensors[source];
        PlannedTensor tensor;
        tensor.name = std::move(name);
        tensor.sources = {source};
        tensor.heads = heads;
        tensor.transform = heads > 0 ? Transform::PermuteQueries : Transform::Copy;
        tensor.from = stored.dtype;
        tensor.to = Dtype::F32;
        tensor.shape = stored.shape;
        tensor.bytes = stored.shape.elements() * sizeof(float);
        m_plan.tensors.push_back(std::move(tensor));
    }

    void addPairs() {
        m_pairs.text("general.architecture", m_family.family->architecture, Origin::Config);
        m_pairs.text("general.type", "adapter", Origin::Computed);
        m_pairs.text("adapter.type", "lora", Origin::Computed);
        if (m_modelName.empty()) {
            std::error_code error;
            const auto whole = std::filesystem::weakly_canonical(m_model->folder, error);
            m_pairs.text("general.name", titleFromName(io::baseName(error ? m_model->folder : whole)), Origin::Computed);
        } else m_pairs.text("general.name", m_modelName, Origin::Option);
        m_pairs.f32("adapter.lora.alpha", static_cast<float>(m_alpha), Origin::Config);
        m_pairs.u32("general.quantization_version", 2, Origin::Computed);
        m_plan.pairs = m_pairs.pairs();
    }

    ConvertPlan& m_plan;
    std::shared_ptr<Model> m_model;
    const SourceFolder& m_base;
    const std::string& m_modelName;
    FolderFamily m_family;
    arch::ModelSpec m_spec;
    merge::AdapterParts m_parts;
    double m_alpha = 1;
    PairList m_pairs;
};

} // namespace

Result<ConvertPlan> planAdapter(ModelPtr adapter, ModelPtr base, const std::string& modelName) {
    ConvertPlan plan;
    plan.type = gguf::FileType::F32;
    WB_TRY_ASSIGN(const SourceFolder folder, readSourceFolder(std::move(base)));
    WB_TRY(AdapterPlanner(plan, *adapter, folder, modelName).run());
    return plan;
}

} // namespace wb::convert
