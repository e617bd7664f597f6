// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"

class QTableView;
class QTreeView;
class QWidget;

namespace wb::ui {
class ColumnChooser;
}

namespace wb::ui::inspect {

class NameTreeModel;
class TensorTableModel;

// The two views of the tensor list with their columns, delegates, selection and copying set up.
QTableView* makeTensorTable(TensorTableModel* model, const Model& files, QWidget* parent);
QTreeView* makeTensorTree(NameTreeModel* model, const Model& files, QWidget* parent);

// Statistics columns appear once something was computed, the column of files where there are several.
void updateColumns(ColumnChooser& columns, const Document& document);

} // namespace wb::ui::inspect
