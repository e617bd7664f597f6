// SPDX-License-Identifier: MIT
#pragma once

#include "ui/library/library_session.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QTreeWidget;

namespace wb::ui::library {

// Everything about the chosen model: where it is and comes from, its files with their hashes, and what verifying them gave.
class Details : public QWidget {
    Q_OBJECT

public:
    explicit Details(QWidget* parent = nullptr);

    void show(ListingPtr listing, const wb::library::Entry* entry); // null: none is chosen
    void setVerified(const Verified& files);                        // kept until the next listing

private:
    void addLine(const QString& name, const QString& value);
    void fillLines(const wb::library::Entry& entry);
    void fillFiles(const wb::library::Entry& entry);
    QString fileResult(const wb::library::StoredFile& file) const;
    void refresh();
    void retranslate();

    ListingPtr m_listing;
    const wb::library::Entry* m_entry = nullptr; // of m_listing
    Verified m_verified;
    QLabel* m_heading;
    QLabel* m_empty;
    QWidget* m_lines;
    QFormLayout* m_form;
    QTreeWidget* m_files;
};

} // namespace wb::ui::library
