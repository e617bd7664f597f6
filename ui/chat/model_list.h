// SPDX-License-Identifier: MIT
#pragma once

#include "ui/chat/model_choices.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace wb::ui::chat {

// Chooses the model to chat with: a filter, the models of this computer, and the ways to others. A click or Enter chooses.
class ModelList : public QWidget {
    Q_OBJECT

public:
    explicit ModelList(QWidget* parent = nullptr);

    // `isKnown`: the library was listed.
    void setModels(const QList<LocalModel>& models, const QStringList& recent, const QStringList& open, bool isKnown);
    void setCanBrowse(bool can); // whether models can be found on the hubs
    void begin();                // forgets the filter and takes the keyboard
    ModelChoices* model() const { return m_model; }

signals:
    void chosen(const QString& path);
    void openFileWanted();
    void browseWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void chooseCurrent();
    void fitColumns();
    void updateEmpty();
    void retranslate();

    ModelChoices* m_model;
    QLineEdit* m_filter;
    QTableView* m_table;
    QLabel* m_empty;
    QPushButton *m_open, *m_browse;
    bool m_isKnown = false;
};

} // namespace wb::ui::chat
