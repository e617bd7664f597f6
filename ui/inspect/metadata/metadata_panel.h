// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "ui/shell/services.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;
class QPlainTextEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace wb::ui::inspect {

class MetadataModel;

// The metadata tree with a search line, copying of key, value and path, and the whole text of long values below.
class MetadataPanel : public QWidget {
    Q_OBJECT

public:
    MetadataPanel(ModelPtr model, JobRunner* jobs, QWidget* parent = nullptr);

    void focusSearch();
    void search(const QString& text);
    void showKey(const QString& key); // chooses the row of this top-level key, with its whole value below; where there is one

signals:
    void failed(const wb::Error& error);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int keyWidth() const; // that shows the keys whole
    void addCopy(const QString& text, int column, int role, const QKeySequence& shortcut);
    void find(const QString& text);
    void showWhole();
    void readVisible();

    MetadataModel* m_model;
    QSortFilterProxyModel* m_found;
    QLineEdit* m_search;
    QTreeView* m_tree;
    QPlainTextEdit* m_whole;
    QTimer m_visible; // looks once after many changes
};

} // namespace wb::ui::inspect
