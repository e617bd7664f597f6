// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"
#include "ui/inspect/tensors/tensor_column.h"

#include <QAbstractTableModel>

#include <functional>

namespace wb::ui::inspect {

// Roles that every model of this tab answers.
enum DataRole {
    ExactRole = Qt::UserRole, // the cell as it is copied: exact, without locale
    ShareRole,                // double in [0, 1] where a bar is drawn
    TensorRole,               // index into Model::tensors, where the row is one
    SeriesRole,               // number of the series whose color marks the cell
    SeverityRole              // wb::Severity whose color marks the cell
};

// The tensors of one document as a flat table. Rows are indices into the document, so sorting and filtering move four bytes per row
// and cells are made only when they are painted.
class TensorTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using Accepts = std::function<bool(std::uint32_t tensor)>;

    explicit TensorTableModel(const Document& document, QObject* parent = nullptr);

    // Shows the tensors that `accepts` lets through; all of them if it is empty. Resets the model.
    void setFilter(const Accepts& accepts);

    std::uint32_t tensorAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(std::uint32_t tensor) const; // -1 if filtered out
    const std::vector<std::uint32_t>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override; // column -1: the stored order

private:
    void order();
    void movePersistent(const std::vector<std::uint32_t>& before);
    void updateStatistics();
    bool isMissing(std::uint32_t tensor) const; // of a file that was truncated, say
    QVariant toolTip(std::uint32_t tensor, Column column) const;

    const Document& m_document;
    std::vector<std::uint32_t> m_rows;
    double m_largestShare = 0; // whose bar is as long as its cell: next to all of a model every tensor is small
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace wb::ui::inspect
