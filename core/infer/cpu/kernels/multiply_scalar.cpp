// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"

#include "core/infer/cpu/kernels/exact.h"
#include "core/infer/cpu/kernels/panel_levels.h"

namespace wb::infer::cpu {
namespace scalar {
namespace {

// ---- float panels

struct PanelF32 {
    static constexpr std::size_t bytes = 64;
    static float weight(const std::byte* block, std::size_t r) { return loadF32(block + 4 * r); }
};
struct PanelF16 {
    static constexpr std::size_t bytes = 32;
    static float weight(const std::byte* block, std::size_t r) { return halfAt(block, r); }
};
struct PanelBF16 {
    static constexpr std::size_t bytes = 32;
    static float weight(const std::byte* block, std::size_t r) { return bf16ToF32(load<std::uint16_t>(block + 2 * r)); }
};

template <class Panel, std::size_t T>
float dotFloats(const Product& p, const std::byte* panel, std::size_t r, std::size_t t) {
    float sum = 0;
    for (std::size_t k = 0; k < p.blocks; ++k)
        sum = fusedMultiplyAdd(Panel::weight(panel + k * Panel::bytes, r), loadF32(p.activations + 4 * (k * T + t)), sum);
    return sum;
}

// ---- integer panels

// The integer dot product of codes [first, end) with token `t`; `start` stands for the bias.
float dotCodes(const Codes& codes, std::size_t first, std::size_t end, int start, const std::byte* record, std::size_t t) {
    int sum = start;
    for (std::size_t i = first; i < end; ++i)
        sum += codes.code[i] * static_cast<std::int8_t>(byteAt(record + t * recordColumns + i));
    return static_cast<float>(sum);
}

template <class Panel, std::size_t T>
float addRecord(const Codes& codes, const std::byte* record, std::size_t t, float sum) {
    using R = Record<T>;
    const float scale = loadF32(record + R::scale + 4 * t);
    const int low = Panel::bias * load<std::int32_t>(record + R::low + 4 * t);
    const int high = Panel::bias * load<std::int32_t>(record + R::high + 4 * t);
    if constexpr (Panel::splits) {
        sum = fusedMultiplyAdd(dotCodes(codes, 0, 16, low, record, t), codes.scale[0] * scale, sum);
        sum = fusedMultiplyAdd(dotCodes(codes, 16, 32, high, record, t), codes.scale[1] * scale, sum);
    } else {
        sum = fusedMultiplyAdd(dotCodes(codes, 0, 32, low + high, record, t), codes.scale[0] * scale, sum);
    }
    if constexpr (Panel::minimums == 1) sum = fusedMultiplyAdd(codes.minimum[0], loadF32(record + R::offset + 4 * t), sum);
    if constexpr (Panel::minimums == 2)
        for (std::size_t h = 0; h < 2; ++h)
            sum = fusedMultiplyAdd(codes.minimum[h],
                                   scale * static_cast<float>(-load<std::int32_t>(record + (h == 0 ? R::low : R::high) + 4 * t)),
                                   sum);
    return sum;
}

template <class Panel, std::size_t T>
float dotIntegers(const Product& p, const std::byte* panel, std::size_t r, std::size_t t) {
    float sum = 0;
    for (std::size_t b = 0; b < p.blocks; ++b)
        for (std::size_t s = 0; s < Panel::records; ++s) {
            const std::byte* const record = p.activations + (b * Panel::records + s) * Record<T>::bytes;
            sum = addRecord<Panel, T>(Panel::codes(panel + b * Panel::bytes, s, r), record, t, sum);
        }
    return sum;
}

template <class Panel, std::size_t T>
float dot(const Product& p, const std::byte* panel, std::size_t r, std::size_t t) {
    if constexpr (requires { Panel::records; }) return dotIntegers<Panel, T>(p, panel, r, t);
    else return dotFloats<Panel, T>(p, panel, r, t);
}

template <class Panel, std::size_t panels>
void multiply(const Product& p) {
    for (std::size_t n = 0; n < panels; ++n)
        for (std::size_t r = 0; r < panelRows; ++r) p.out[n * panelRows + r] = dot<Panel, 1>(p, p.panel + n * p.panelBytes, r, 0);
}

template <class Panel>
void multiplyGroup(const Product& p) {
    for (std::size_t r = 0; r < panelRows; ++r)
        for (std::size_t t = 0; t < groupTokens; ++t) p.out[t * p.stride + r] = dot<Panel, groupTokens>(p, p.panel, r, t);
}

// The forms of one type.
struct Forms {
    Multiply one, wide, groups;
};
template <class Panel>
constexpr Forms makeForms() {
    return {multiply<Panel, 1>, multiply<Panel, widePanels>, eachGroup<multiplyGroup<Panel>>};
}

// clang-format off
constexpr std::array<Forms, panelTypes> forms = {
    makeForms<PanelF32>(), makeForms<PanelF16>(), makeForms<PanelBF16>(), makeForms<PanelQ8_0>(), makeForms<PanelQ4_0>(),
    makeForms<PanelQ4_1>(), makeForms<PanelQ5_0>(), makeForms<PanelQ5_1>(), makeForms<PanelQ2_K>(), makeForms<PanelQ3_K>(),
    makeForms<PanelQ4_K>(), makeForms<PanelQ5_K>(), makeForms<PanelQ6_K>(), makeForms<PanelIQ4_NL>(), makeForms<PanelIQ4_XS>(),
    makeForms<PanelMXFP4>(), makeForms<PanelNVFP4>(), makeForms<PanelQ8_0>(), makeForms<PanelQ8_K>(), makeForms<PanelQ1_0>(),
    makeForms<PanelQ2_0>(), makeForms<PanelTQ1_0>(), makeForms<PanelTQ2_0>(), makeForms<PanelPoints<LatticeIQ1_S>>(),
    makeForms<PanelPoints<LatticeIQ1_M>>(), makeForms<PanelPoints<LatticeIQ2_XXS>>(), makeForms<PanelPoints<LatticeIQ2_XS>>(),
    makeForms<PanelPoints<LatticeIQ2_S>>(), makeForms<PanelPoints<LatticeIQ3_XXS>>(), makeForms<PanelPoints<LatticeIQ3_S>>(),
};
// clang-format on

constexpr std::array<Multiply, panelTypes> select(Multiply Forms::* form) {
    std::array<Multiply, panelTypes> all{};
    for (std::size_t i = 0; i < panelTypes; ++i) all[i] = forms[i].*form;
    return all;
}

} // namespace
} // namespace scalar

MultiplyForms multiplyScalar() {
    using scalar::Forms;
    return {scalar::select(&Forms::one), scalar::select(&Forms::wide), scalar::select(&Forms::groups)};
}

} // namespace wb::infer::cpu
