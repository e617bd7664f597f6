// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/guide/format_guide.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QTabWidget;

namespace wb::ui::inspect {

class CellTableView;

// "Which format do I need?": two questions whose answers select a format, a table of all formats, and a glossary of types and file
// names.
class GuideDialog : public QDialog {
    Q_OBJECT

public:
    explicit GuideDialog(QWidget* parent = nullptr);

    void choose(Goal goal, Target target);
    const GuideEntry& answer() const;

signals:
    void convertWanted();

private:
    QWidget* makeQuestions();
    QWidget* makeFormats();
    void showAnswer();

    QComboBox *m_goal, *m_target;
    QLabel *m_name, *m_reason;
    QPushButton* m_convert;
    QTabWidget* m_tables;
    CellTableView* m_formats;
};

} // namespace wb::ui::inspect
