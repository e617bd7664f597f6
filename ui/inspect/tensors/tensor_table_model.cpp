// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/tensor_table_model.h"

#include "ui/inspect/document/glossary.h"
#include "ui/widgets/numbers.h"
#include "core/model/natural_order.h"
#include "ui/inspect/tensors/tensor_order.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <numeric>

namespace wb::ui::inspect {

TensorTableModel::TensorTableModel(const Document& document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document), m_rows(document.contents().count()) {
    std::iota(m_rows.begin(), m_rows.end(), 0U);
    for (const std::uint32_t tensor : m_rows) m_largestShare = std::max(m_largestShare, document.contents().share(tensor));
    order();
    connect(&document, &Document::statisticsChanged, this, &TensorTableModel::updateStatistics);
}

void TensorTableModel::setFilter(const Accepts& accepts) {
    beginResetModel();
    m_rows.clear();
    for (std::uint32_t tensor = 0; tensor < m_document.contents().count(); ++tensor)
        if (!accepts || accepts(tensor)) m_rows.push_back(tensor);
    order();
    endResetModel();
}

int TensorTableModel::rowOf(std::uint32_t tensor) const {
    const auto found = std::ranges::find(m_rows, tensor);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int TensorTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int TensorTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : inspect::columnCount; }

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const std::uint32_t tensor = tensorAt(index.row());
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole: return shownCell(m_document.contents(), tensor, column);
    case ExactRole: return exactCell(m_document.contents(), tensor, column);
    case Qt::TextAlignmentRole: return QVariant::fromValue((isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole: return toolTip(tensor, column);
    case TensorRole: return tensor;
    case Qt::ForegroundRole: return isMissing(tensor) ? QVariant(themeColors().error) : QVariant();
    case ShareRole:
        if (column != Column::Share) return {};
        return m_largestShare > 0 ? m_document.contents().share(tensor) / m_largestShare : 0.0;
    default: return {};
    }
}

bool TensorTableModel::isMissing(std::uint32_t tensor) const {
    return !m_document.contents().tensor(tensor).source.unavailableWhy().empty();
}

QVariant TensorTableModel::toolTip(std::uint32_t tensor, Column column) const {
    const TensorInfo& info = m_document.contents().tensor(tensor);
    if (column == Column::Name && isMissing(tensor))
        return plainText(tr("%1: values cannot be read; see Problems.").arg(text(info.name)));
    switch (column) {
    case Column::Name: return plainText(text(info.name));
    case Column::Type: return dtypeExplanation(info.dtype);
    case Column::Role: return roleExplanation(m_document.contents().facts[tensor].role);
    case Column::Size: return tr("%1 bytes").arg(shownCount(info.bytes()));
    case Column::File: return plainText(shownCell(m_document.contents(), tensor, column));
    default: return {};
    }
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= inspect::columnCount) return {};
    const auto column = static_cast<Column>(section);
    switch (role) {
    case Qt::DisplayRole: return columnTitle(column);
    case Qt::ToolTipRole: return columnToolTip(column);
    case Qt::TextAlignmentRole: return QVariant::fromValue((isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

void TensorTableModel::sort(int column, Qt::SortOrder sortOrder) {
    m_sortColumn = column;
    m_sortOrder = sortOrder;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const std::vector<std::uint32_t> before = m_rows;
    order();
    movePersistent(before);
    emit layoutChanged({}, VerticalSortHint);
}

void TensorTableModel::order() {
    const bool isStored = m_sortColumn < 0 && !isOrderedByName(m_document.model());
    if (isStored) std::ranges::sort(m_rows);
    else if (m_sortColumn < 0)
        std::ranges::sort(m_rows, {}, [this](std::uint32_t tensor) { return m_document.nameRanks()[tensor]; });
    else sortTensors(m_rows, m_document.contents(), m_document.nameRanks(), static_cast<Column>(m_sortColumn), m_sortOrder);
}

void TensorTableModel::movePersistent(const std::vector<std::uint32_t>& before) {
    const QModelIndexList from = persistentIndexList();
    if (from.isEmpty()) return;
    std::vector<int> rowOfTensor(m_document.contents().count(), -1);
    for (std::size_t row = 0; row < m_rows.size(); ++row) rowOfTensor[m_rows[row]] = static_cast<int>(row);
    QModelIndexList to;
    to.reserve(from.size());
    for (const QModelIndex& index : from)
        to.append(createIndex(rowOfTensor[before[static_cast<std::size_t>(index.row())]], index.column()));
    changePersistentIndexList(from, to);
}

void TensorTableModel::updateStatistics() {
    if (m_rows.empty()) return;
    emit dataChanged(index(0, static_cast<int>(Column::Min)), index(rowCount() - 1, inspect::columnCount - 1));
}

} // namespace wb::ui::inspect
