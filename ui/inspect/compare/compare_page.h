// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/compare/choose_other.h"

#include <QJsonObject>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTabWidget;
class QTableView;
class QToolButton;

namespace wb::ui {
class MessageBar;
}

namespace wb::ui::inspect {

class CellTableView;
class ComparisonFilter;
class ComparisonModel;
class DifferenceView;

// Two models next to each other, as `wb diff` compares them: tensors by error, one pair in detail, metadata, tokenizer and chat
// template. It only shows: the comparison belongs to the session, so that a page can be made again in another language.
class ComparePage : public QWidget {
    Q_OBJECT

public:
    enum class View { Tensors, Metadata, Tokenizer, Template };

    ComparePage(CompareSession& session, ChooseOther::OpenSides openSides, QWidget* parent = nullptr);

    CompareSession& session() const { return m_session; }
    QString title() const;                   // "a.gguf ↔ b.gguf"
    bool takeDrop(const QStringList& paths); // one path becomes B where it is missing, two become both; else false
    void showView(View view);
    ComparisonModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }
    DifferenceView* difference() const { return m_difference; }
    void chooseWorst(); // the first row of the table as it is sorted

    void exportTo(const QString& path); // .csv: the table; else the document of `wb diff --json`
    void saveMapping(const QString& path);
    void loadMapping(const QString& path);

    QJsonObject save() const; // the two paths

signals:
    void message(const QString& text, bool isError);
    void titleChanged();
    void bothWanted(const QStringList& paths); // two others were dropped

private:
    QWidget* makeHead();
    QWidget* makeTensors();
    QWidget* makeTokenizer();
    void makeMenu(QToolButton* button);
    void connectAll();
    void refresh();
    void showComparison();
    void showChosen();
    void askToPair();
    void ignoreChosen();
    void askForExport();
    void write(const QString& path, std::function<std::string()> content, const QString& done);
    std::vector<int> chosenRows() const; // of the model

    CompareSession& m_session;
    ComparisonModel* m_model;
    ComparisonFilter* m_filter;
    std::shared_ptr<const diff::Comparison> m_shown;
    QStackedWidget* m_stack;
    ChooseOther* m_choose;
    QLabel *m_a, *m_b, *m_summary, *m_tokenizerText, *m_templateText;
    QToolButton *m_swap, *m_mapping;
    QPushButton *m_start, *m_export;
    QProgressBar* m_progress;
    MessageBar *m_bar, *m_staleBar;
    QTabWidget* m_views;
    QLineEdit* m_words;
    QComboBox* m_states;
    QTableView* m_table;
    DifferenceView* m_difference;
    CellTableView *m_metadata, *m_tokens, *m_template;
    QAction *m_pairAction, *m_ignoreAction;
};

} // namespace wb::ui::inspect
