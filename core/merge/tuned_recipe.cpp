// SPDX-License-Identifier: MIT
#include "core/merge/tuned_recipe.h"

#include "core/merge/tuned_factors.h"

#include <algorithm>

namespace wb::merge {
namespace {

constexpr std::uint64_t maxBlock = 4096; // of OFT: its blocks are matrices of this side

bool isMatrix(const Shape& shape) { return shape.rank() == 2 && shape.elements() > 0; }

bool fitsExperts(ModuleChange& change, const Shape& a, const Shape& b, const Shape& weight) {
    if (weight.rank() != 3 || !isMatrix(a) || !isMatrix(b) || weight[0] == 0) return false;
    if (a[0] != b[1] || a[0] % weight[0] != 0) return false;
    change.isTransposed = !(a[1] == weight[2] && b[0] == weight[1]);
    return !change.isTransposed || (a[1] == weight[1] && b[0] == weight[2]);
}

// The sides of a factor of a Kronecker product.
std::optional<std::pair<std::uint64_t, std::uint64_t>> sides(std::span<const Shape>& tensors, bool isProduct) {
    const std::size_t count = isProduct ? 2 : 1;
    if (tensors.size() < count || !std::ranges::all_of(tensors.first(count), isMatrix)) return std::nullopt;
    if (isProduct && tensors[0][1] != tensors[1][0]) return std::nullopt;
    const auto found = std::pair(tensors[0][0], tensors[count - 1][1]);
    tensors = tensors.subspan(count);
    return found;
}

bool fitsKronecker(const ModuleChange& change, std::span<const Shape> tensors, const MatrixSides& weight) {
    const auto first = sides(tensors, change.hasProducts[0]), second = sides(tensors, change.hasProducts[1]);
    return first && second && tensors.empty() && weight.rows % second->first == 0 && weight.columns % second->second == 0 &&
           weight.rows / second->first == first->first && weight.columns / second->second == first->second;
}

bool fitsRotation(const Shape& q, const MatrixSides& weight) {
    if (!isMatrix(q)) return false;
    const std::uint64_t side = rotationSide(q[1]);
    return side > 1 && side <= maxBlock && side * (side - 1) / 2 == q[1] && weight.columns == side * q[0];
}

} // namespace

const char* changeName(ChangeKind kind) {
    switch (kind) {
    case ChangeKind::Product: return "lora";
    case ChangeKind::Dora: return "dora";
    case ChangeKind::AdaLora: return "adalora";
    case ChangeKind::Vera: return "vera";
    case ChangeKind::Experts: return "lora of experts";
    case ChangeKind::LoHa: return "loha";
    case ChangeKind::LoKr: return "lokr";
    case ChangeKind::Ia3: return "ia3";
    case ChangeKind::Oft: break;
    }
    return "oft";
}

bool fitsChange(ModuleChange& change, std::span<const Shape> tensors, const Shape& weight) {
    const MatrixSides own = matrixSides(weight);
    if (own.rows == 0 || own.columns == 0) return false;
    const std::uint64_t out = change.isTransposed ? own.columns : own.rows, in = change.isTransposed ? own.rows : own.columns;
    const auto isPair = [&](const Shape& a, const Shape& b) {
        return a.rank() >= 2 && b.rank() >= 2 && a[0] > 0 && a.elements() == a[0] * in && b[0] == out && b.elements() == out * a[0];
    };
    const auto& t = tensors;
    switch (change.kind) {
    case ChangeKind::Product: return t.size() == 2 && isPair(t[0], t[1]);
    case ChangeKind::Dora: return t.size() == 3 && isPair(t[0], t[1]) && t[2].elements() == out;
    case ChangeKind::AdaLora: return t.size() == 3 && isPair(t[0], t[1]) && t[2].elements() == t[0][0];
    case ChangeKind::Vera:
        return t.size() == 4 && isMatrix(t[2]) && isMatrix(t[3]) && t[0].elements() == out && t[1].elements() == t[2][0] &&
               t[3][1] == t[2][0] && t[3][0] >= out && t[2][1] >= in;
    case ChangeKind::Experts: return t.size() == 2 && fitsExperts(change, t[0], t[1], weight);
    case ChangeKind::LoHa:
        return t.size() == 4 && std::ranges::all_of(t, isMatrix) && t[0][1] == t[1][0] && t[2][1] == t[3][0] &&
               t[0][0] == own.rows && t[2][0] == own.rows && t[1][1] == own.columns && t[3][1] == own.columns;
    case ChangeKind::LoKr: return fitsKronecker(change, t, own);
    case ChangeKind::Ia3: return t.size() == 1 && t[0].elements() == (change.ofInputs ? in : out);
    case ChangeKind::Oft: return t.size() == 1 && !change.isTransposed && fitsRotation(t[0], own);
    }
    return false;
}

Result<void> TunedRecipe::check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const {
    std::vector<Shape> shapes;
    for (const TensorReader& input : inputs.subspan(1)) shapes.push_back(input.shape());
    ModuleChange change = m_change;
    if (dtype == Dtype::F32 && inputs[0].shape() == shape && fitsChange(change, shapes, shape)) return {};
    return fail(ErrorCode::Malformed, Reason("merge.factors"), About{m_inputs[0]},
                WB_TEXT("{} does not match the tensor it would be added to."), m_inputs[0]);
}

Result<void> TunedRecipe::readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const {
    const auto load = [&] { return tunedFactors(m_change, inputs); };
    WB_TRY_ASSIGN(const auto factors, m_store->get(m_key, load));
    std::vector<std::byte> scratch;
    const MatrixSides sides = matrixSides(inputs[0].shape());
    std::uint64_t before = 0;
    std::vector<float> weight(out.size());
    if (m_change.kind == ChangeKind::Oft) { // needs whole blocks
        const std::uint64_t side = rotationSide(inputs[1].shape()[1]), end = first + out.size();
        before = first % side;
        weight.resize((end + side - 1) / side * side - (first - before));
    }
    WB_TRY(inputs[0].readF32(first - before, weight, scratch));
    std::vector<float> tuned(weight);
    applyChange(m_change, *factors, sides, first - before, tuned);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float was = weight[before + i], is = tuned[before + i];
        out[i] = m_strength == 1 ? is : was + m_strength * (is - was);
    }
    return {};
}

} // namespace wb::merge
