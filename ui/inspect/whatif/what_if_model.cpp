// SPDX-License-Identifier: MIT
#include "ui/inspect/whatif/what_if_model.h"

#include "ui/widgets/numbers.h"
#include "ui/inspect/tensors/tensor_table_model.h"

#include <QFont>
#include <QLocale>

namespace wb::ui::inspect {
namespace {

QVariant alignmentFromColumn(int column) {
    return static_cast<int>((column == WhatIfModel::Type ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

} // namespace

void WhatIfModel::setTypes(const std::vector<Dtype>& types, Dtype own, std::uint64_t tensorRows, std::uint64_t rowLength) {
    beginResetModel();
    m_rows.clear();
    for (const Dtype type : types) m_rows.push_back({type, std::nullopt});
    m_isWaiting = true;
    m_own = own;
    m_tensorRows = tensorRows;
    m_rowLength = std::max<std::uint64_t>(1, rowLength);
    endResetModel();
}

void WhatIfModel::setResult(const quant::WhatIf& result) {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].type != result.type) continue;
        m_rows[i].result = result;
        emit dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), columns - 1));
    }
}

void WhatIfModel::giveUp() {
    m_isWaiting = false;
    if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

const quant::WhatIf* WhatIfModel::resultAt(int row) const {
    const auto& result = m_rows[static_cast<std::size_t>(row)].result;
    return result ? &*result : nullptr;
}

int WhatIfModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int WhatIfModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

std::optional<double> WhatIfModel::number(const Row& row, int column) const {
    if (column == Bits || column == Size) {
        const auto bytes = rowBytes(row.type, m_tensorRows * m_rowLength);
        if (!bytes || m_tensorRows == 0) return std::nullopt;
        return column == Size ? static_cast<double>(*bytes)
                              : 8.0 * static_cast<double>(*bytes) / static_cast<double>(m_tensorRows * m_rowLength);
    }
    if (!row.result) return std::nullopt;
    switch (column) {
    case Relative: return row.result->relativeRmse;
    case Weighted: return row.result->weightedRelative;
    case Snr: return row.result->snr;
    case Rmse: return row.result->rmse;
    case MaxError: return row.result->maxError;
    case Cosine: return row.result->cosine;
    case Rows: return static_cast<double>(row.result->elements / m_rowLength);
    default: return std::nullopt;
    }
}

QString WhatIfModel::shown(const Row& row, int column) const {
    if (column == Type) return QString::fromLatin1(name(row.type));
    if (column == Snr && row.result && row.result->squaredError == 0) return tr("exact");
    const auto value = number(row, column);
    if (!value) return row.result || !m_isWaiting ? QStringLiteral("–") : QStringLiteral("…");
    switch (column) {
    case Size: return bytesText(static_cast<quint64>(*value));
    case Relative:
    case Weighted: return shownPercent(*value);
    case Rows: return shownCount(static_cast<quint64>(*value));
    case Snr: return QLocale().toString(*value, 'f', 2);
    default: return shownNumber(*value);
    }
}

QVariant WhatIfModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto value = number(row, index.column());
    switch (role) {
    case Qt::DisplayRole: return shown(row, index.column());
    case ExactRole: return value ? QVariant(exactNumber(*value)) : QVariant(shown(row, index.column()));
    case SortRole: // unknown values comes last
        return index.column() == Type ? QVariant(QString::fromLatin1(name(row.type))) : QVariant(value.value_or(1e300));
    case Qt::TextAlignmentRole: return alignmentFromColumn(index.column());
    case Qt::FontRole: {
        if (row.type != m_own || index.column() != Type) return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case Qt::ToolTipRole:
        return row.type == m_own && index.column() == Type ? QVariant(tr("Current type of the tensor")) : QVariant();
    default: return {};
    }
}

QVariant WhatIfModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) return alignmentFromColumn(section);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Type: return tr("Type");
    case Bits: return tr("Bits");
    case Size: return tr("Size");
    case Relative: return tr("Relative error");
    case Weighted: return tr("Weighted error");
    case Snr: return tr("SNR (dB)");
    case Rmse: return tr("RMSE");
    case MaxError: return tr("Max error");
    case Cosine: return tr("Cosine similarity");
    default: return tr("Rows measured");
    }
}

} // namespace wb::ui::inspect
