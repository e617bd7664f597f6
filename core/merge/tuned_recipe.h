// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/merged_recipe.h"

#include <optional>

// Changes of a weight W that are more than a sum of W and a product (docs/reference/conversion.md, "Other adapters";
// huggingface/peft: src/peft/tuners). All numbers are f32, as PEFT computes them.
namespace wb::merge {

// The new value of W and the adapter's tensors, in the order of ModuleChange::tensors. s is ModuleChange::scale.
enum class ChangeKind : std::uint8_t {
    Product, // W + s · B · A; {A, B}, of convolutions too, whose kernels are columns
    Dora,    // V · m / |V| by output, V = W + s · B · A; {A, B, m}
    AdaLora, // W + s · B · (e ∘ A); {A, B, e}
    Vera,    // W + diag(b) · B · diag(d) · A, of shared A and B the first rows and columns; {b, d, A, B}
    Experts, // of each expert W + s · B · A; {A of the experts one after another, B whose columns alternate between them}
    LoHa,    // W + s · (A1 · B1) ∘ (A2 · B2); {A1, B1, A2, B2}
    LoKr,    // W + s · kron(C, D), C and D matrices or products of two; {C or C1, C2; D or D1, D2}
    Ia3,     // W ∘ l by output, or by input; {l}
    Oft,     // W · Rᵀ, R the blocks I + 2 (Q + … + Qⁿ⁻²) + Qⁿ⁻¹ of n terms, Q skew-symmetric by its upper triangle; {Q}
};

const char* changeName(ChangeKind kind); // as plans show it

struct ModuleChange {
    ChangeKind kind = ChangeKind::Product;
    std::string target;               // the base's tensor
    std::vector<std::string> tensors; // of the adapter
    double scale = 1;
    bool isTransposed = false; // the base stores the matrix as [in, out]
    bool ofInputs = false;     // Ia3: l scales inputs
    bool hasProducts[2] = {};  // LoKr: whether C and D are products
    std::uint64_t terms = 0;   // Oft; 0: the exact Cayley transform
};

// Whether tensors of these shapes change a weight of this shape by this formula; for experts sets `isTransposed` as the shapes
// need.
bool fitsChange(ModuleChange& change, std::span<const Shape> tensors, const Shape& weight);

// The changed weight, as F32: W + strength · (W' - W). Norms of DoRA and all small factors are computed once and kept in the store.
class TunedRecipe final : public F32Recipe {
public:
    // `inputs`: the weight, then the tensors of the change. `key`: of its factors in the store.
    TunedRecipe(std::vector<std::string> inputs, ModuleChange change, double strength, std::string key,
                std::shared_ptr<FactorStore> store)
        : m_inputs(std::move(inputs)), m_change(std::move(change)), m_strength(static_cast<float>(strength)), m_key(std::move(key)),
          m_store(std::move(store)) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const override;

private:
    std::vector<std::string> m_inputs;
    ModuleChange m_change;
    float m_strength;
    std::string m_key;
    std::shared_ptr<FactorStore> m_store;
};

} // namespace wb::merge
