// SPDX-License-Identifier: MIT
#include "core/formats/onnx/block_weights.h"

#include "core/base/checked.h"
#include "core/model/recipe.h"

#include <algorithm>
#include <unordered_map>

namespace wb::onnx {
namespace {

std::unexpected<Error> doesNotFit() {
    return fail(ErrorCode::Malformed, Reason("onnx.block_weight"),
                WB_TEXT("The components of a block-quantized weight do not match."));
}

std::uint64_t divided(std::uint64_t value, std::uint64_t by) { return value / by + (value % by == 0 ? 0 : 1); }

// Required properties of the parts.
struct Sizes {
    std::uint64_t blocks = 0;     // of a row
    std::uint64_t blockBytes = 0; // of the codes of a block
    std::uint64_t zeroBytes = 0;  // of the zero points of a row, where they are codes
};

std::optional<Sizes> weightSizes(const BlockWeight& weight) {
    const bool isBits = weight.bits == 2 || weight.bits == 4 || weight.bits == 8;
    if (!isBits || weight.block < 16 || weight.block > 65'536 || weight.block % 16 != 0 || weight.columns == 0) return std::nullopt;
    Sizes sizes;
    sizes.blocks = divided(weight.columns, weight.block);
    sizes.blockBytes = weight.block * weight.bits / 8;
    const auto zeroBits = checked::mul(sizes.blocks, weight.bits);
    const auto bytes = checked::mul(sizes.blocks, sizes.blockBytes);
    if (!zeroBits || !bytes || !checked::mul(*bytes, weight.rows) || !Shape::make({weight.rows, weight.columns}))
        return std::nullopt;
    sizes.zeroBytes = divided(*zeroBits, 8);
    return sizes;
}

class BlockRecipe final : public F32Recipe {
public:
    BlockRecipe(BlockWeight weight, Sizes sizes) : m_weight(std::move(weight)), m_sizes(sizes) {
        m_inputs = {m_weight.codes, m_weight.scales};
        if (!m_weight.zeros.empty()) m_inputs.push_back(m_weight.zeros);
    }

    const BlockWeight& weight() const { return m_weight; }
    const std::vector<std::string>& inputs() const override { return m_inputs; }

    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override {
        const std::uint64_t scales = m_weight.rows * m_sizes.blocks;
        const auto isFloat = [](Dtype type) { return type == Dtype::F32 || type == Dtype::F16 || type == Dtype::BF16; };
        const bool isFine = inputs.size() == m_inputs.size() && dtype == Dtype::F32 &&
                            shape == Shape::make({m_weight.rows, m_weight.columns}) && inputs[0].dtype() == Dtype::U8 &&
                            inputs[0].elements() == scales * m_sizes.blockBytes && isFloat(inputs[1].dtype()) &&
                            inputs[1].elements() == scales;
        if (!isFine) return doesNotFit();
        if (inputs.size() == 2) return {};
        const bool isCodes = inputs[2].dtype() == Dtype::U8 && inputs[2].elements() == m_weight.rows * m_sizes.zeroBytes;
        return isCodes || (isFloat(inputs[2].dtype()) && inputs[2].elements() == scales) ? Result<void>() : doesNotFit();
    }

    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override {
        while (!out.empty()) {
            const std::uint64_t row = first / m_weight.columns, column = first % m_weight.columns;
            const std::uint64_t run = std::min<std::uint64_t>(out.size(), m_weight.columns - column);
            WB_TRY(readRow(inputs, row, column, out.first(run)));
            out = out.subspan(run);
            first += run;
        }
        return {};
    }

private:
    unsigned codeAt(const std::vector<std::byte>& packed, std::uint64_t index) const {
        const std::uint64_t bit = index * m_weight.bits;
        return std::to_integer<unsigned>(packed[bit / 8]) >> bit % 8 & ((1u << m_weight.bits) - 1);
    }

    Result<void> readRow(std::span<const TensorReader> inputs, std::uint64_t row, std::uint64_t column,
                         std::span<float> out) const {
        const std::uint64_t firstBlock = column / m_weight.block,
                            blocks = (column + out.size() - 1) / m_weight.block - firstBlock + 1;
        const std::uint64_t place = row * m_sizes.blocks + firstBlock;
        std::vector<std::byte> codes(blocks * m_sizes.blockBytes), scratch;
        std::vector<float> scales(blocks), zeros(blocks, static_cast<float>(1u << (m_weight.bits - 1)));
        WB_TRY(inputs[0].readRaw(place * m_sizes.blockBytes, codes.size(), codes));
        WB_TRY(inputs[1].readF32(place, scales, scratch));
        if (inputs.size() == 3 && inputs[2].dtype() != Dtype::U8) {
            WB_TRY(inputs[2].readF32(place, zeros, scratch));
        } else if (inputs.size() == 3) {
            const std::uint64_t begin = firstBlock * m_weight.bits / 8, end = divided((firstBlock + blocks) * m_weight.bits, 8);
            std::vector<std::byte> packed(end - begin);
            WB_TRY(inputs[2].readRaw(row * m_sizes.zeroBytes + begin, packed.size(), packed));
            for (std::uint64_t i = 0; i < blocks; ++i)
                zeros[i] = static_cast<float>(codeAt(packed, firstBlock + i - begin * 8 / m_weight.bits));
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::uint64_t at = column + i - firstBlock * m_weight.block, block = at / m_weight.block;
            out[i] = (static_cast<float>(codeAt(codes, at)) - zeros[block]) * scales[block];
        }
        return {};
    }

    BlockWeight m_weight;
    Sizes m_sizes;
    std::vector<std::string> m_inputs;
};

bool writeRecipe(worker::WireWriter& out, const Recipe& recipe) {
    const auto* block = dynamic_cast<const BlockRecipe*>(&recipe);
    if (block == nullptr) return false;
    const BlockWeight& weight = block->weight();
    for (const std::uint64_t number : {weight.rows, weight.columns, weight.bits, weight.block}) out.u64(number);
    for (const std::string* name : {&weight.codes, &weight.scales, &weight.zeros}) out.text(*name);
    return true;
}

std::shared_ptr<const Recipe> readRecipe(worker::WireReader& in) {
    BlockWeight weight;
    for (std::uint64_t* number : {&weight.rows, &weight.columns, &weight.bits, &weight.block}) *number = in.u64();
    for (std::string* name : {&weight.codes, &weight.scales, &weight.zeros}) *name = std::string(in.text());
    const auto sizes = weightSizes(weight);
    return sizes ? std::make_shared<const BlockRecipe>(std::move(weight), *sizes) : nullptr;
}

// The name without what the quantizer added to it.
std::string logicalName(const std::string& codes) {
    for (const std::string_view ending : {"_Q4", "_Q8", "_Q2", "_Q4G32", "_quant", "_quantized", ".qweight"})
        if (codes.ends_with(ending)) return codes.substr(0, codes.size() - ending.size());
    return codes + "_dequantized";
}

} // namespace

worker::RecipeWire blockWeightWire() { return {writeRecipe, readRecipe}; }

void addBlockWeights(const std::vector<BlockWeight>& weights, Model& model, const std::string& file) {
    std::unordered_map<std::string, std::size_t> stored;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) stored.try_emplace(model.tensors[i].name, i);
    std::vector<TensorInfo> logical;
    for (const BlockWeight& weight : weights) {
        const auto sizes = weightSizes(weight);
        std::vector<std::string> parts = {weight.codes, weight.scales};
        if (!weight.zeros.empty()) parts.push_back(weight.zeros);
        const bool isThere = std::ranges::all_of(parts, [&](const std::string& part) { return stored.contains(part); });
        if (!sizes || !isThere) {
            model.problems.push_back(makeProblem(
                Severity::Warning, "onnx.block_weight", file, std::nullopt,
                WB_TEXT("{}: the MatMulNBits weight {} does not match its description; only its components are listed."), file,
                weight.codes));
            continue;
        }
        auto details = std::make_shared<TensorDetails>();
        std::uint64_t bytes = 0;
        for (const std::string& part : parts) bytes += model.tensors[stored[part]].bytes();
        TensorInfo tensor;
        tensor.name = logicalName(weight.codes);
        tensor.dtype = Dtype::F32;
        tensor.shape = *Shape::make({weight.rows, weight.columns});
        tensor.logical = true;
        details->scheme = fmt::format("MatMulNBits {} bit g{}", weight.bits, weight.block);
        details->parts = std::move(parts);
        if (tensor.shape.elements() != 0)
            details->bitsPerWeight = static_cast<double>(bytes) * 8 / static_cast<double>(tensor.shape.elements());
        tensor.details = std::move(details);
        tensor.source = TensorSource::recipe(std::make_shared<const BlockRecipe>(weight, *sizes), bytes);
        logical.push_back(std::move(tensor));
    }
    std::ranges::move(logical, std::back_inserter(model.tensors));
}

} // namespace wb::onnx
