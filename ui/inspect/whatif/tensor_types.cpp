// SPDX-License-Identifier: MIT
#include "ui/inspect/whatif/tensor_types.h"

#include <QCoreApplication>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

struct TensorTypeWords {
    Q_DECLARE_TR_FUNCTIONS(TensorTypes)
};

} // namespace

TensorTypes::TensorTypes(const std::vector<Dtype>& types, Dtype own, const Shape& shape) : m_own(own), m_shape(shape) {
    for (const Dtype type : types) m_types.push_back({type, std::nullopt});
}

void TensorTypes::add(const quant::WhatIf& result) {
    const auto found = std::ranges::find(m_types, result.type, &Measured::type);
    if (found != m_types.end()) found->result = result;
}

const quant::WhatIf* TensorTypes::result(int at) const {
    if (at < 0 || at >= count()) return nullptr;
    const auto& result = m_types[static_cast<std::size_t>(at)].result;
    return result ? &*result : nullptr;
}

TypeRow TensorTypes::row(const Measured& measured) const {
    TypeRow row;
    row.name = QString::fromLatin1(name(measured.type));
    const std::uint64_t elements = m_shape.elements();
    if (const auto bytes = rowBytes(measured.type, elements); bytes && elements > 0) {
        row.bytes = *bytes;
        row.bitsPerWeight = 8.0 * static_cast<double>(*bytes) / static_cast<double>(elements);
    }
    if (measured.type == m_own) row.mark = TensorTypeWords::tr("Current type of the tensor");
    const auto& result = measured.result;
    if (!result && m_isWaiting) row.missing = QStringLiteral("…");
    if (!result) return row;
    row.error = result->relativeRmse;
    row.weightedError = result->weightedRelative;
    row.snr = result->snr;
    row.isExact = result->squaredError == 0;
    row.rmse = result->rmse;
    row.maxError = result->maxError;
    row.cosine = result->cosine;
    row.rows = static_cast<double>(result->elements / std::max<std::uint64_t>(1, m_shape.rowLength()));
    return row;
}

std::vector<TypeRow> TensorTypes::rows() const {
    std::vector<TypeRow> rows;
    for (const Measured& measured : m_types) rows.push_back(row(measured));
    return rows;
}

} // namespace wb::ui::inspect
