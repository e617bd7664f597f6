// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"
#include "core/stats/contents/name_tree.h"

#include <QAbstractItemModel>

namespace wb::ui::inspect {

// Tensors as a tree of dotted names: layers and experts fold, each group shows how many tensors it holds and what they weigh.
class NameTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum TreeColumn { Name, Type, Shape, Elements, Size, Share, Findings, TreeColumnCount };

    explicit NameTreeModel(const Document& document, QObject* parent = nullptr);

    void setTensors(std::span<const std::uint32_t> tensors); // resets the model
    QModelIndex indexOf(std::uint32_t tensor) const;         // invalid if it is not shown

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const stats::NameNode& node(const QModelIndex& index) const { return m_nodes[index.isValid() ? index.internalId() : 0]; }
    QString shown(const stats::NameNode& node, int column) const;
    QString exact(const stats::NameNode& node, int column) const;
    QString findings(const stats::NameNode& node) const;
    QVariant toolTip(const stats::NameNode& node, int column) const;
    void updateFindings();

    const Document& m_document;
    std::vector<stats::NameNode> m_nodes;
};

} // namespace wb::ui::inspect
