// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/plan_file.h"

#include <QWidget>

#include <vector>

class QPushButton;
class QVBoxLayout;

namespace wb::ui::convert {

// The adapters that are merged into a model, in their order: a row each with how much of it is added, and a button for one more.
class AdapterList : public QWidget {
    Q_OBJECT

public:
    using Adapters = std::vector<wb::convert::AdapterFile>;

    explicit AdapterList(QWidget* parent = nullptr);

    void setAdapters(const Adapters& adapters);            // as they are shown from now on
    void setModel(const QString& path) { m_model = path; } // next to which adapters are searched

signals:
    void adaptersWanted(const wb::ui::convert::AdapterList::Adapters& adapters); // what the user chose

private:
    void add();
    QWidget* row(std::size_t index);
    template <typename Change>
    void change(Change apply);

    QVBoxLayout* m_rows;
    QPushButton* m_add;
    QString m_model;
    Adapters m_adapters;
};

} // namespace wb::ui::convert
