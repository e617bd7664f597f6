// SPDX-License-Identifier: MIT
#pragma once

#include "core/query/query.h"
#include "ui/inspect/document/document.h"

#include <QWidget>

class QAbstractItemView;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;
class QTreeView;

namespace wb::ui {
class ColumnChooser;
}

namespace wb::ui::inspect {

class NameTreeModel;
class SearchLine;
class TensorTableModel;

// The list of tensors: search line, flat table or tree of names, and the shown and selected counts in one line below.
class TensorPanel : public QWidget {
    Q_OBJECT

public:
    explicit TensorPanel(const Document& document, QWidget* parent = nullptr);

    std::optional<std::uint32_t> currentTensor() const { return m_current; }
    void chooseTensor(std::uint32_t tensor);                // lifts the filter if it hides the tensor
    void focusRows();                                       // of the list that is shown
    const std::vector<std::uint32_t>& shownTensors() const; // in the order shown

    void search(const QString& query); // takes effect at once
    void setTree(bool tree);
    bool isTree() const;
    void setComputing(bool computing);

    // Of models with logical weights, such as quantized ones: everything, the weights as they are meant (without their parts), or
    // the tensors as they are stored.
    enum class Shown { All, Logical, Stored };
    void setShown(Shown shown);
    Shown shown() const;
    void focusSearch();

    QJsonObject save() const;
    void restore(const QJsonObject& state);

signals:
    void currentTensorChanged();
    void computeWanted(); // or, while it runs, to stop
    void exportWanted();
    void valuesWanted(const std::vector<std::uint32_t>& tensors); // to save them: the selected ones

private:
    QWidget* makeTools();
    void makeShownBox();
    bool isInView(std::uint32_t tensor) const;
    QToolButton* addTool(const QString& iconName, const QString& text, const QKeySequence& key);
    void makeTree(); // when it is first looked at
    void connectView(QAbstractItemView* view);
    void addSaveValues(QAbstractItemView* view);
    std::vector<std::uint32_t> selectedTensors() const; // in the order of the rows
    QAbstractItemView* view() const;
    void setQuery(const query::Query& query);
    void applyQuery();
    void fillTree();
    void chooseCurrent(const QModelIndex& index);
    void showCurrent();
    void sumShown();
    void updateFooter();
    void updateStatistics();
    int selectedCount() const;

    const Document& m_document;
    query::Query m_query;
    std::optional<std::uint32_t> m_current;
    bool m_isTreeStale = true;
    quint64 m_shownBytes = 0;
    TensorTableModel* m_tableModel;
    NameTreeModel* m_treeModel = nullptr;
    SearchLine* m_search;
    QComboBox* m_shown = nullptr; // only where the model has logical weights
    std::vector<bool> m_isPart;   // one a tensor, with m_shown
    QStackedWidget* m_stack;
    QTableView* m_table;
    ColumnChooser* m_columns;
    QTreeView* m_tree = nullptr;
    QToolButton *m_flatButton, *m_treeButton;
    QPushButton* m_compute;
    QLabel* m_footer;
};

} // namespace wb::ui::inspect
