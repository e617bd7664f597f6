// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/name_tree_model.h"

#include "ui/inspect/document/glossary.h"
#include "ui/widgets/numbers.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/widgets/plain_text.h"

#include <algorithm>
#include <array>

namespace wb::ui::inspect {
namespace {

// The value of a group in a column is the value of a tensor there, summed.
constexpr std::array tensorColumns = {Column::Name, Column::Type, Column::Shape, Column::Elements, Column::Size, Column::Share};

bool isGroup(const stats::NameNode& node) { return !node.children.empty(); }

double nodeShare(const stats::NameNode& node, const stats::Contents& contents) {
    return contents.totalBytes == 0 ? 0 : static_cast<double>(node.bytes) / static_cast<double>(contents.totalBytes);
}

QString componentText(const stats::NameNode& node) {
    return QString::fromUtf8(node.component.data(), static_cast<qsizetype>(node.component.size()));
}

} // namespace

NameTreeModel::NameTreeModel(const Document& document, QObject* parent)
    : QAbstractItemModel(parent), m_document(document), m_nodes(1) {
    connect(&document, &Document::statisticsChanged, this, &NameTreeModel::updateFindings);
}

void NameTreeModel::setTensors(std::span<const std::uint32_t> tensors) {
    beginResetModel();
    m_nodes = stats::buildNameTree(m_document.contents(), m_document.nameRanks(), tensors);
    endResetModel();
}

QModelIndex NameTreeModel::indexOf(std::uint32_t tensor) const {
    const auto found = std::ranges::find(m_nodes, tensor, &stats::NameNode::tensor);
    if (found == m_nodes.end()) return {};
    return createIndex(static_cast<int>(found->row), 0, static_cast<quintptr>(found - m_nodes.begin()));
}

QModelIndex NameTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, static_cast<quintptr>(node(parent).children[static_cast<std::size_t>(row)]));
}

QModelIndex NameTreeModel::parent(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const std::uint32_t parent = node(index).parent;
    return parent == 0 ? QModelIndex() : createIndex(static_cast<int>(m_nodes[parent].row), 0, static_cast<quintptr>(parent));
}

int NameTreeModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(node(parent).children.size());
}

int NameTreeModel::columnCount(const QModelIndex&) const { return TreeColumnCount; }

QVariant NameTreeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const stats::NameNode& at = node(index);
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return shown(at, column);
    case ExactRole: return exact(at, column);
    case Qt::ToolTipRole: return toolTip(at, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((column == Elements || column == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case ShareRole: return column == Share ? QVariant(nodeShare(at, m_document.contents())) : QVariant();
    case TensorRole: return at.tensor == stats::NameNode::none ? QVariant() : QVariant(at.tensor);
    default: return {};
    }
}

QString NameTreeModel::shown(const stats::NameNode& node, int column) const {
    if (column == Name) return componentText(node);
    if (column == Findings) return findings(node);
    if (!isGroup(node)) return shownCell(m_document.contents(), node.tensor, tensorColumns[static_cast<std::size_t>(column)]);
    switch (column) {
    case Type: return node.dtype ? QString::fromLatin1(wb::name(*node.dtype)) : tr("mixed");
    case Shape: return tr("%n tensor(s)", nullptr, static_cast<int>(node.tensors));
    case Elements: return shownCount(node.elements);
    case Size: return bytesText(node.bytes);
    default: return shownPercent(nodeShare(node, m_document.contents()));
    }
}

QString NameTreeModel::exact(const stats::NameNode& node, int column) const {
    if (column == Name && node.tensor != stats::NameNode::none) return text(m_document.contents().tensor(node.tensor).name);
    if (column == Name || column == Findings) return shown(node, column);
    if (!isGroup(node)) return exactCell(m_document.contents(), node.tensor, tensorColumns[static_cast<std::size_t>(column)]);
    switch (column) {
    case Elements: return QString::number(node.elements);
    case Size: return QString::number(node.bytes);
    case Share: return exactNumber(nodeShare(node, m_document.contents()));
    default: return shown(node, column);
    }
}

QString NameTreeModel::findings(const stats::NameNode& node) const {
    if (node.findings == 0) return {};
    if (isGroup(node)) return tr("%n tensor(s) with issues", nullptr, static_cast<int>(node.findings));
    if (!m_document.contents().tensor(node.tensor).source.unavailableWhy().empty()) return tr("Values cannot be read");
    const stats::TensorStats& stats = *m_document.contents().statistics(node.tensor);
    return tr("%1 NaN, %2 infinite").arg(shownCount(stats.nan), shownCount(stats.inf));
}

QVariant NameTreeModel::toolTip(const stats::NameNode& node, int column) const {
    if (column == Name) return plainText(exact(node, Name));
    if (column == Type && node.dtype) return dtypeExplanation(*node.dtype);
    if (column == Findings) return findings(node);
    return {};
}

QVariant NameTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= TreeColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == Elements || section == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (section == Findings) return role == Qt::DisplayRole ? tr("Issues") : tr("NaN, infinite or unreadable values.");
    const Column column = tensorColumns[static_cast<std::size_t>(section)];
    return role == Qt::DisplayRole ? columnTitle(column) : columnToolTip(column);
}

void NameTreeModel::updateFindings() {
    std::vector<std::uint64_t> counts(m_nodes.size());
    for (std::size_t i = 1; i < m_nodes.size(); ++i)
        if (m_nodes[i].tensor != stats::NameNode::none && m_document.contents().hasFinding(m_nodes[i].tensor)) ++counts[i];
    for (std::size_t i = m_nodes.size(); i-- > 1;) counts[m_nodes[i].parent] += counts[i]; // children are after their parents
    for (std::size_t i = 1; i < m_nodes.size(); ++i) {
        if (m_nodes[i].findings == counts[i]) continue;
        m_nodes[i].findings = counts[i];
        const QModelIndex changed = createIndex(static_cast<int>(m_nodes[i].row), Findings, static_cast<quintptr>(i));
        emit dataChanged(changed, changed);
    }
}

} // namespace wb::ui::inspect
