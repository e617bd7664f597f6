// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"
#include "core/infer/cpu/kernels/rows_simd.h"

#include <algorithm>

namespace wb::infer::cpu {
namespace {

template <class Form>
void setIfAny(Form& to, Form form) {
    if (form) to = form;
}

void setRows(const RowForms& rows, Kernels& kernels) {
    kernels.quantize = rows.quantize;
    kernels.rmsNorm = rows.rmsNorm;
    kernels.layerNorm = rows.layerNorm;
    for (std::size_t i = 0; i < activationTypes; ++i) setIfAny(kernels.activate[i], rows.activate[i]);
    kernels.softcap = rows.softcap;
    kernels.addScaled = rows.addScaled;
    setIfAny(kernels.rotate, rows.rotate);
    kernels.toF16 = rows.toF16;
    kernels.softmax = rows.softmax;
}

Kernels makeKernels(const char* name, const MultiplyForms& multiply, const AttentionForms& attention) {
    Kernels kernels{};
    kernels.name = name;
    kernels.multiply = multiply.one;
    kernels.multiplyWide = multiply.wide;
    kernels.multiplyGroups = multiply.groups;
    kernels.groupsAtOnce = multiply.groupsAtOnce;
    kernels.scoreKeys = attention.scoreKeys;
    kernels.sumValues = attention.sumValues;
    setRows(rowsScalar(), kernels);
    return kernels;
}

void setForms(const std::array<Multiply, panelTypes>& forms, std::array<Multiply, panelTypes>& to) {
    for (std::size_t i = 0; i < panelTypes; ++i) setIfAny(to[i], forms[i]);
}

void setOneToken(const OneTokenForms& forms, MultiplyForms& to) {
    setForms(forms.one, to.one);
    setForms(forms.wide, to.wide);
}

} // namespace

const Kernels& scalarKernels() {
    static const Kernels kernels = makeKernels("scalar", multiplyScalar(), attentionScalar());
    return kernels;
}

Kernels simdKernels(ByteProducts products) {
    const MultiplyForms floats = multiplyFloats();
    if (floats.one[0] == nullptr) return scalarKernels(); // a machine without vectors
    MultiplyForms forms = multiplySimd(products);
    setForms(floats.one, forms.one);
    setForms(floats.wide, forms.wide);
    setForms(floats.groups, forms.groups);
    setOneToken(oneTokenSimd(products), forms);
    setOneToken(oneTokenLattices(), forms);
    const auto expanded = expandedSimd(products);
    if (std::ranges::any_of(expanded, [](Multiply form) { return form != nullptr; })) forms.groupsAtOnce = maxGroups;
    setForms(expanded, forms.groups);
    setForms(expandedLattices(products), forms.groups);
    if (products == ByteProducts::Amx) {
        setForms(tilesSimd(), forms.groups);
        forms.groupsAtOnce = 2;
    }
    Kernels kernels = makeKernels("SIMD", forms, attentionSimd());
    setRows(rowsSimd(), kernels);
    return kernels;
}

} // namespace wb::infer::cpu
