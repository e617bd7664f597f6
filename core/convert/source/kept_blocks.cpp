// SPDX-License-Identifier: MIT
#include "core/convert/source/kept_blocks.h"

#include "core/formats/quantized/quantized.h"
#include "core/model/prefixed_recipe.h"
#include "core/model/tensor_reader.h"

#include <algorithm>

namespace wb::convert {
namespace {

using quantized::Fp4Layout;

constexpr std::uint64_t slab = 1 << 20; // scales that are checked at a time

// Codes of pairs of neighbors as GGUF has them: the first half of a group in the low halves of the bytes, the other in the high
// ones.
void packGroup(std::span<const std::byte> from, std::span<std::byte> to) {
    const auto code = [from](std::size_t i) { return (from[i / 2] >> (i % 2 * 4)) & std::byte{15}; };
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = code(i) | (code(i + to.size()) << 4);
}

// Codes and scales of one tensor as blocks: a scale before each 16 bytes, or four before each 32.
class BlocksRecipe final : public Recipe {
public:
    BlocksRecipe(std::string codes, std::string scales, Dtype dtype)
        : m_inputs{std::move(codes), std::move(scales)}, m_dtype(dtype) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }

    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        const std::uint64_t elements = shape.elements();
        if (dtype == m_dtype && inputs[0].dtype() == Dtype::U8 && inputs[0].elements() == elements / 2 &&
            inputs[1].elements() == elements / groupElements() && inputs[1].byteCount(1) == 1)
            return {};
        return fail(ErrorCode::Malformed, Reason("convert.view_input"), About{m_inputs[0]},
                    WB_TEXT("{} changed since the file was opened."), m_inputs[0]);
    }

    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override {
        const DtypeInfo& type = info(m_dtype);
        const std::uint64_t group = groupElements(), groups = type.blockElements / group;
        std::vector<std::byte> codes(count / 2), scales(count / group);
        WB_TRY(inputs[0].readRaw(first / 2, codes.size(), codes));
        WB_TRY(inputs[1].readRaw(first / group, scales.size(), scales));
        for (std::uint64_t block = 0; block < count / type.blockElements; ++block) {
            const auto to = out.subspan(block * type.blockBytes, type.blockBytes);
            std::ranges::copy(std::span(scales).subspan(block * groups, groups), to.begin());
            for (std::uint64_t i = 0; i < groups; ++i)
                packGroup(std::span(codes).subspan((block * groups + i) * group / 2, group / 2),
                          to.subspan(groups + i * group / 2, group / 2));
        }
        return {};
    }

private:
    std::uint64_t groupElements() const { return m_dtype == Dtype::MXFP4 ? 32 : 16; }

    std::vector<std::string> m_inputs;
    Dtype m_dtype;
};

const TensorInfo* findTensor(const Model& model, std::string_view name) {
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    return found == model.tensors.end() ? nullptr : &*found;
}

// Whether GGUF stores these scales of E4M3: it has no sign, and the code of NaN is another number there.
Result<void> checkScales(const Model& model, const TensorInfo& scales, const std::string& weight) {
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, scales));
    std::vector<std::byte> codes;
    for (std::uint64_t first = 0; first < reader.elements(); first += codes.size()) {
        codes.resize(std::min(slab, reader.elements() - first));
        WB_TRY(reader.readRaw(first, codes.size(), codes));
        if (std::ranges::all_of(codes, [](std::byte code) { return code < std::byte{0x7F}; })) continue;
        return fail(ErrorCode::Unsupported, Reason("convert.fp4_scale"), About{weight},
                    WB_TEXT("{} has scales that are negative or NaN, which NVFP4 in GGUF cannot store; use --keep-quantized=no."),
                    weight);
    }
    return {};
}

Result<float> globalScale(const Model& model, const std::string& name, Fp4Layout::Global use) {
    float value = 1;
    const TensorInfo* const tensor = findTensor(model, name);
    if (!tensor || use == Fp4Layout::Global::None) return value;
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, *tensor));
    std::vector<std::byte> scratch;
    WB_TRY(reader.readF32(0, {&value, 1}, scratch));
    return use == Fp4Layout::Global::Divides ? 1 / value : value;
}

std::optional<Fp4Layout> weightLayout(const TensorInfo& weight) {
    const auto& recipe = weight.source.recipe();
    const auto* const prefixed = dynamic_cast<const PrefixedRecipe*>(recipe.get());
    return recipe ? quantized::fp4Layout(prefixed ? prefixed->original() : *recipe) : std::nullopt;
}

} // namespace

bool mayHaveBlocks(const Model& model) {
    return std::ranges::any_of(model.tensors, [](const TensorInfo& tensor) { return weightLayout(tensor).has_value(); });
}

Result<std::optional<KeptBlocks>> keptBlocks(const Model& model, const TensorInfo& weight) {
    const auto layout = weightLayout(weight);
    if (!layout || weight.shape.rank() != 2) return std::nullopt;
    const auto& inputs = weight.source.recipe()->inputs();
    const TensorInfo* const scales = findTensor(model, inputs[1]);
    if (!scales) return std::nullopt;
    const bool isMx = layout->group == 32 && layout->global == Fp4Layout::Global::None &&
                      (scales->dtype == Dtype::U8 || scales->dtype == Dtype::F8_E8M0);
    const bool isNv = layout->group == 16 && scales->dtype == Dtype::F8_E4M3;
    const Dtype dtype = isMx ? Dtype::MXFP4 : Dtype::NVFP4;
    if ((!isMx && !isNv) || weight.shape.rowLength() % info(dtype).blockElements != 0) return std::nullopt;
    KeptBlocks kept{weight, 1};
    if (isNv) {
        WB_TRY(checkScales(model, *scales, weight.name));
        WB_TRY_ASSIGN(kept.scale, globalScale(model, inputs.size() > 2 ? inputs[2] : "", layout->global));
    }
    kept.tensor.dtype = dtype;
    kept.tensor.source = TensorSource::recipe(std::make_shared<BlocksRecipe>(inputs[0], inputs[1], dtype), weight.bytes());
    return kept;
}

} // namespace wb::convert
