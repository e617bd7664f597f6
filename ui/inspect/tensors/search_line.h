// SPDX-License-Identifier: MIT
#pragma once

#include "core/query/query.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace wb::ui::inspect {

// The field for the search language. What is typed is parsed after a pause of 150 ms; errors are shown right below.
class SearchLine : public QWidget {
    Q_OBJECT

public:
    static constexpr int debounceMs = 150;

    explicit SearchLine(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text); // takes effect at once
    void focusSearch();
    void showHelp();

signals:
    void queryChanged(const wb::query::Query& query); // only queries that could be read
    void resultsWanted();                             // the key that leads down to them

private:
    void apply();
    void showProblem(const QString& sentence);

    QLineEdit* m_field;
    QLabel* m_problem;
    QTimer m_pause;
};

} // namespace wb::ui::inspect
