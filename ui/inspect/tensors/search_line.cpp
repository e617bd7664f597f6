// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/search_line.h"

#include "ui/inspect/tensors/search_help.h"
#include "ui/shell/services.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace wb::ui::inspect {

SearchLine::SearchLine(QWidget* parent) : QWidget(parent), m_field(new QLineEdit(this)), m_problem(new QLabel(this)) {
    m_field->setObjectName(QStringLiteral("tensorSearch"));
    m_field->setPlaceholderText(tr("Search tensors, for example: dtype:bf16 size:>10M name:attn"));
    m_field->setClearButtonEnabled(true);
    m_field->setAccessibleName(tr("Search tensors"));
    m_field->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    QAction* help = m_field->addAction(icon(QStringLiteral("info")), QLineEdit::TrailingPosition);
    help->setText(tr("Search syntax"));
    help->setToolTip(tr("Search syntax (Alt+Down)"));
    auto* helpByKey = new QAction(this);
    helpByKey->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Down));
    helpByKey->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(helpByKey);
    auto* down = new QAction(this);
    down->setShortcut(Qt::Key_Down);
    down->setShortcutContext(Qt::WidgetShortcut);
    m_field->QWidget::addAction(down);
    connect(down, &QAction::triggered, this, &SearchLine::resultsWanted);
    connect(helpByKey, &QAction::triggered, this, &SearchLine::showHelp);
    connect(help, &QAction::triggered, this, &SearchLine::showHelp);

    m_problem->setObjectName(QStringLiteral("searchProblem"));
    m_problem->setProperty("isError", true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_field);
    layout->addWidget(m_problem);

    m_pause.setSingleShot(true);
    m_pause.setInterval(debounceMs);
    connect(m_field, &QLineEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(m_field, &QLineEdit::returnPressed, this, &SearchLine::apply);
    connect(&m_pause, &QTimer::timeout, this, &SearchLine::apply);
}

QString SearchLine::text() const { return m_field->text(); }

void SearchLine::setText(const QString& text) {
    m_field->setText(text);
    apply();
}

void SearchLine::focusSearch() {
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void SearchLine::apply() {
    m_pause.stop();
    const auto parsed = query::parse(m_field->text().toStdString());
    showProblem(parsed ? QString() : translated(parsed.error()));
    if (parsed) emit queryChanged(*parsed);
}

void SearchLine::showProblem(const QString& sentence) {
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
    m_field->setAccessibleDescription(sentence);
}

void SearchLine::showHelp() {
    auto* help = new SearchHelp(this);
    help->setAttribute(Qt::WA_DeleteOnClose);
    connect(help, &SearchHelp::exampleChosen, this, [this](const QString& query) {
        setText(query);
        focusSearch();
    });
    help->showBelow(m_field);
}

} // namespace wb::ui::inspect
