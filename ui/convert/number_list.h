// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/source/adapter_file.h"

#include <QWidget>

#include <vector>

class QPushButton;
class QVBoxLayout;

namespace wb::ui::convert {

// Files or folders in an order, each with a number: a row each, and a button for one more. The words are those of their purpose.
class NumberList : public QWidget {
    Q_OBJECT

public:
    using Entries = std::vector<wb::convert::AdapterFile>;

    struct Words {
        const char* button; // objectName of the one that adds
        QString add, addTip, choose;
        QString number, remove; // of an entry, %1
        QString removeTip;
        QString addFile = {}, chooseFile = {}, fileFilter = {}; // of a second button, for files; empty: none
    };

    explicit NumberList(Words words, QWidget* parent = nullptr);

    void setEntries(const Entries& entries);               // as they are shown from now on
    void setModel(const QString& path) { m_model = path; } // next to which others are searched

signals:
    void entriesWanted(const wb::ui::convert::NumberList::Entries& entries); // what the user chose

private:
    void add();
    void addFile();
    void append(const QString& path);
    QWidget* row(std::size_t index);
    template <typename Change>
    void change(Change apply);

    Words m_words;
    QVBoxLayout* m_rows;
    QPushButton* m_add;
    QString m_model;
    Entries m_entries;
};

} // namespace wb::ui::convert
