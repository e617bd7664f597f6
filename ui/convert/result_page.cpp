// SPDX-License-Identifier: MIT
#include "ui/convert/result_page.h"

#include "ui/convert/commands.h"
#include "ui/convert/error_chart.h"
#include "ui/convert/plan_model.h"
#include "ui/convert/table_parts.h"
#include "ui/shell/picture_actions.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/tables/plain_table.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::convert {
namespace {

constexpr int minChartHeight = 480; // height of the page

} // namespace

ResultPage::ResultPage(const RunSession& run, const PlanSession& plans, const Services& services, QWidget* parent)
    : QWidget(parent), m_run(run), m_plans(plans), m_model(new ErrorModel(this)), m_chart(new ErrorChart(*m_model, this)),
      m_title(makeElidedHeading(this)), m_summary(new QLabel(this)), m_table(makeTable(m_model, tr("Error by tensor"), this)),
      m_ollama(new OllamaRow(services, this)), m_rest(new QWidget(this)) {
    m_summary->setObjectName(QStringLiteral("resultSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_table->setObjectName(QStringLiteral("errorTable"));
    m_table->setItemDelegateForColumn(ErrorModel::Relative, new BarDelegate(m_table));
    m_table->setColumnWidth(ErrorModel::Relative, 220);
    const QHeaderView* const header = m_table->horizontalHeader();
    for (int column = 1; column < m_model->columnCount(); ++column)
        m_table->setColumnWidth(column, std::max(header->sectionSize(column), header->sectionSizeHint(column)));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_chart->setObjectName(QStringLiteral("errorChart"));
    addPictureActions(m_chart, services);
    connect(m_chart, &ErrorChart::tensorChosen, this, &ResultPage::chooseTensor);
    const auto add = [this](const char* name, const char* iconName, const QString& text, auto use) {
        auto* button = new QPushButton(icon(QLatin1String(iconName)), text, this);
        button->setObjectName(QLatin1String(name));
        connect(button, &QPushButton::clicked, this, use);
        return button;
    };
    auto* inspect = add("inspect", "inspect", tr("Open in Inspect"), [this] { emit inspectWanted(m_run.firstFile()); });
    m_chat = add("chatResult", "chat", tr("Chat"), [this] { emit chatWanted(m_run.firstFile()); });
    auto* folder = add("showFolder", "folder", tr("Show in folder"), [this] { showFolder(); });
    auto* plan = add("backToPlan", "table", tr("Back to the plan"), [this] { emit planWanted(); });
    auto* another = add("another", "file", tr("Change model…"), [this] { emit anotherWanted(); });
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(another);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_chat, inspect, folder, plan}) buttons->addWidget(button);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(head);
    layout->addWidget(m_summary);
    layout->addLayout(buttons);
    layout->addWidget(m_ollama);
    layout->addWidget(m_chart);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_rest, 1);
    m_rest->hide();
    connect(m_ollama, &OllamaRow::message, this, &ResultPage::message);
    refresh();
}

// In a small window the rows are worth more than their picture, of which every number is in them.
void ResultPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_isTall = height() >= minChartHeight;
    showErrors();
}

// Converting alone rounds to a type of floats at most: there are no errors to show.
void ResultPage::showErrors() {
    m_chart->setVisible(m_isTall && !m_plans.plain());
    m_table->setVisible(!m_plans.plain());
    m_rest->setVisible(m_plans.plain() != nullptr);
}

void ResultPage::showFolder() {
    const QString folder = QFileInfo(m_run.firstFile()).path();
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
        emit message(tr("No file manager found; the file is in %1.").arg(shortPath(folder)));
}

void ResultPage::chooseTensor(int row) {
    const QModelIndex shown = tableProxy(m_table)->mapFromSource(m_model->index(row, ErrorModel::Name));
    m_table->setCurrentIndex(shown);
    m_table->scrollTo(shown, QAbstractItemView::PositionAtCenter);
}

void ResultPage::refresh() {
    const auto& outcome = m_run.outcome();
    const auto plan = m_plans.plan();
    if (!outcome || !plan) return;
    showErrors();
    m_title->setText(shortPath(m_run.firstFile()));
    m_title->setToolTip(plainText(shortPath(m_run.firstFile())));
    const bool wentOn = outcome->resumedItems > 0; // the seconds are those of the last part
    QStringList lines = {(wentOn ? tr("%1, %2 bits per weight, written in several sessions (last one: %3).")
                                 : tr("%1, %2 bits per weight, written in %3."))
                             .arg(fileSizeText(plan->fileBytes()), QLocale().toString(plan->bitsPerWeight(), 'f', 4),
                                  durationText(outcome->seconds))};
    lines.append(tr("The output was read back and compared with the source."));
    for (const Problem& remark : outcome->remarks) lines.append(translated(asError(ErrorCode::Internal, remark)));
    m_summary->setText(lines.join(QLatin1Char('\n')));
    m_chat->setVisible(!m_plans.isAdapter());
    m_ollama->setVisible(!m_plans.isAdapter()); // its Modelfile would start with a model
    m_ollama->setFile(m_run.firstFile(), m_plans.conversion() ? m_plans.conversion()->folder.model : m_plans.model());
    auto errors = outcome->errors;
    errors.resize(plan->tensors.size());          // converting alone has none
    if (m_model->isForPlan(plan, errors)) return; // the wizard changed in something else; the view keeps its place
    m_model->setOutcome(plan, std::move(errors));
    m_table->sortByColumn(ErrorModel::Relative, Qt::DescendingOrder);
}

} // namespace wb::ui::convert
