// SPDX-License-Identifier: MIT
#include "ui/convert/weights/weights_page.h"

#include "core/convert/gguf/modelfile.h"
#include "ui/convert/weights/named_button.h"
#include "ui/convert/commands.h"
#include "ui/convert/confirm.h"
#include "ui/convert/convert_actions.h"
#include "ui/convert/plan_page.h"
#include "ui/convert/table_parts.h"
#include "ui/convert/weights/choices_panel.h"
#include "ui/convert/weights/members_model.h"
#include "ui/convert/weights/parents_panel.h"
#include "ui/convert/weights/weights_model.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"

#include <QCheckBox>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace wb::ui::convert {
namespace {

enum Part { TensorsPart, MembersPart };

} // namespace

WeightsPage::WeightsPage(WeightsSession& session, Wizard& wizard, ConvertActions& actions, QWidget* parent)
    : QWidget(parent), m_session(session), m_actions(actions), m_model(new WeightsModel(this)),
      m_membersModel(new MembersModel(this)), m_stack(new QStackedWidget(this)) {
    m_stack->addWidget(makePlan(wizard));
    m_stack->addWidget(makeResult(wizard.services()));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(&m_session, &WeightsSession::checked, this, &WeightsPage::onChecked);
    connect(m_model, &WeightsModel::changeWanted, this, [this](const auto& apply) {
        WeightsChoices choices = m_session.choices();
        apply(choices.file);
        m_session.choose(choices);
    });
    const auto use = [this](QAction* action, auto does) {
        connect(action, &QAction::triggered, this, [this, does] {
            if (m_session.isOpen()) does();
        });
    };
    use(m_actions.undo, [this] { m_session.undo(); });
    use(m_actions.redo, [this] { m_session.redo(); });
    use(m_actions.savePlan, [this] { savePlan(); });
    use(m_actions.loadPlan, [this] { loadPlan(); });
    use(m_actions.run, [this] { m_session.checkRun(); });
    refresh();
}

QWidget* WeightsPage::makeHead() {
    auto* head = new QWidget(this);
    m_title = makeElidedHeading(head);
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_title, 1);
    for (QAction* action : {m_actions.undo, m_actions.redo}) {
        auto* button = new QToolButton(head);
        button->setDefaultAction(action);
        layout->addWidget(button);
    }
    auto* keep = makeNamedButton(head, "weightsPlanFile", "export", tr("Plan file"));
    auto* menu = new QMenu(keep);
    menu->addActions({m_actions.savePlan, m_actions.loadPlan});
    keep->setMenu(menu);
    auto* other = new QPushButton(tr("Change model…"), head);
    other->setObjectName(QStringLiteral("closeWeights"));
    connect(other, &QPushButton::clicked, this, &WeightsPage::closeWanted);
    layout->addWidget(keep);
    layout->addWidget(other);
    return head;
}

QWidget* WeightsPage::makeTables() {
    auto* holder = new QWidget(this);
    m_parts = new QTabBar(holder);
    m_parts->setObjectName(QStringLiteral("weightsParts"));
    m_parts->setExpanding(false);
    m_parts->setDrawBase(false);
    m_parts->addTab(tr("Tensors"));
    m_parts->addTab(QStringLiteral("config.json"));
    m_table = makeTable(m_model, tr("Tensors in this plan"), holder);
    m_table->setObjectName(QStringLiteral("weightsTable"));
    m_table->setTextElideMode(Qt::ElideMiddle); // names differ at their ends
    m_table->setItemDelegateForColumn(WeightsModel::To, new TypeDelegate(tr("Default type"), m_table));
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    for (const auto& [column, width] :
         {std::pair(WeightsModel::ShapeColumn, 96), std::pair(WeightsModel::From, 60), std::pair(WeightsModel::To, 72),
          std::pair(WeightsModel::Bytes, 84), std::pair(WeightsModel::SourceColumn, 200),
          std::pair(WeightsModel::TransformColumn, 150), std::pair(WeightsModel::File, 150)})
        m_table->setColumnWidth(column, width);
    m_members = makeTable(m_membersModel, tr("Fields of the new config.json"), holder);
    m_members->setObjectName(QStringLiteral("membersTable"));
    m_members->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_members->setColumnWidth(MembersModel::Value, 280);
    m_members->setColumnWidth(MembersModel::OriginColumn, 150);
    connect(m_parts, &QTabBar::currentChanged, this, &WeightsPage::refresh);
    m_notes = makeMutedLabel(holder);
    m_notes->setObjectName(QStringLiteral("weightsNotes"));
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_parts);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_members, 1);
    layout->addWidget(m_notes);
    return holder;
}

QWidget* WeightsPage::makePlan(Wizard& wizard) {
    auto* page = new QWidget(this);
    m_failure = new QLabel(page);
    m_failure->setObjectName(QStringLiteral("weightsFailure"));
    m_failure->setTextFormat(Qt::PlainText);
    m_failure->setWordWrap(true);
    setTone(m_failure, Tone::Error);
    m_trust = new QCheckBox(tr("Read tensors anyway"), page);
    m_trust->setObjectName(QStringLiteral("trustSource"));
    connect(m_trust, &QCheckBox::toggled, this, [this](bool on) {
        WeightsChoices choices = m_session.choices();
        choices.file.trustsSource = on;
        m_session.choose(choices);
    });
    auto* body = new QHBoxLayout;
    body->addWidget(m_choices = new ChoicesPanel(m_session, wizard, page));
    body->addWidget(makeTables(), 1);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addWidget(makeHead());
    layout->addWidget(m_failure);
    layout->addWidget(m_trust);
    layout->addLayout(body, 1);
    return page;
}

QWidget* WeightsPage::makeResult(const Services& services) {
    auto* page = new QWidget(this);
    m_resultTitle = makeElidedHeading(page);
    m_summary = new QLabel(page);
    m_summary->setObjectName(QStringLiteral("weightsSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    auto* inspect = makeNamedButton(page, "inspectWeights", "inspect", tr("Open in Inspect"));
    auto* folder = makeNamedButton(page, "showWeights", "folder", tr("Show in folder"));
    auto* plan = makeNamedButton(page, "backToWeights", "table", tr("Back to the plan"));
    auto* another = makeNamedButton(page, "anotherWeights", "file", tr("Change model…"));
    connect(inspect, &QPushButton::clicked, this, [this] { emit inspectWanted(m_session.target()); });
    connect(folder, &QPushButton::clicked, this, [this] {
        const QString place = QFileInfo(m_session.target()).absolutePath();
        if (!QDesktopServices::openUrl(QUrl::fromLocalFile(place)))
            emit message(tr("No file manager found; the output is in %1.").arg(shortPath(place)));
    });
    connect(plan, &QPushButton::clicked, &m_session, &WeightsSession::backToPlan);
    connect(another, &QPushButton::clicked, this, &WeightsPage::closeWanted);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {inspect, folder, plan, another}) buttons->addWidget(button);
    buttons->addStretch(1);
    m_command = new CommandRow("vllmCommand", tr("Serve with vLLM:"), page);
    m_parents = new ParentsPanel(services, page);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addWidget(m_resultTitle);
    layout->addWidget(m_summary);
    layout->addLayout(buttons);
    layout->addWidget(m_command);
    layout->addWidget(m_parents, 1);
    layout->addWidget(m_rest = new QWidget(page), 1);
    return page;
}

void WeightsPage::onChecked(const RunCheck& check) {
    if (!m_session.plan()) return;
    const QString text = tr("%1 already exists. Its files will be replaced.").arg(shortPath(check.target));
    if (check.exists && !isConfirmed(this, tr("Replace existing files?"), text, tr("Replace"))) return;
    const QString lost = tr("The unfinished output of another plan in %1 will be deleted.").arg(shortPath(check.target));
    if (check.conflict && !isConfirmed(this, tr("Delete unfinished output?"), lost, tr("Remove"))) return;
    m_session.run(check.exists);
}

void WeightsPage::savePlan() {
    QString path = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getSaveFileName(window, tr("Save the plan"), m_session.target() + PlanPage::ending,
                                            tr("Plans (*.plan.json)"));
    });
    if (path.isEmpty()) return;
    if (!path.endsWith(PlanPage::ending)) path += PlanPage::ending; // only such files are offered for opening
    m_session.savePlan(path);
}

void WeightsPage::loadPlan() {
    const QString folder = QFileInfo(m_session.choices().source).path();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Open plan"), folder, tr("Plans (*.plan.json)"));
    });
    if (!path.isEmpty()) m_session.loadPlan(path);
}

void WeightsPage::refreshActions() {
    const bool isPlan = m_session.isOpen() && !m_session.isRunning() && !m_session.outcome();
    m_actions.undo->setEnabled(isPlan && m_session.canUndo());
    m_actions.redo->setEnabled(isPlan && m_session.canRedo());
    m_actions.savePlan->setEnabled(isPlan && m_session.plan());
    m_actions.loadPlan->setEnabled(isPlan);
    m_actions.run->setEnabled(isPlan && m_session.plan());
    for (QAction* action : {m_actions.search, m_actions.copyOptions}) action->setEnabled(false);
}

void WeightsPage::refreshPlan() {
    const WeightsChoices& choices = m_session.choices();
    const auto plan = m_session.plan();
    m_title->setText(shortPath(choices.source));
    m_failure->setText(m_session.failure());
    m_failure->setVisible(!m_session.failure().isEmpty());
    m_trust->setVisible(m_session.wantsTrust() || choices.file.trustsSource);
    m_trust->setChecked(choices.file.trustsSource);
    m_choices->refresh();
    m_model->setPlan(plan, choices.file);
    m_membersModel->setMembers(m_session.members());
    m_parts->setTabVisible(MembersPart, !m_session.members().isEmpty());
    m_table->setVisible(m_parts->currentIndex() == TensorsPart);
    m_members->setVisible(m_parts->currentIndex() == MembersPart);
    QStringList notes;
    if (plan)
        for (const Problem& problem : plan->problems) notes << translated(asError(ErrorCode::Internal, problem));
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
}

void WeightsPage::refreshResult() {
    const auto& outcome = m_session.outcome();
    const auto plan = m_session.plan();
    if (!outcome || !plan) return;
    m_resultTitle->setText(shortPath(m_session.target()));
    QStringList lines = {
        tr("%1 in %2 tensors, written in %3. The output was read back and compared with the source.")
            .arg(fileSizeText(plan->fileBytes()), shownCount(plan->tensors.size()), durationText(outcome->seconds))};
    for (const Problem& remark : outcome->remarks) lines << translated(asError(ErrorCode::Internal, remark));
    m_summary->setText(lines.join(QLatin1Char('\n')));
    const bool isMerged = !m_session.choices().file.merge.isNone();
    m_parents->setPlan(isMerged ? plan : nullptr);
    m_rest->setVisible(!isMerged);
    const Value* const config = plan->model->metadata.find("config.json");
    const ValueObject none;
    m_command->setCommand(plan->isFolder ? QString::fromStdString(wb::convert::vllmCommand(
                                               fsPath(m_session.target()), config && config->object() ? *config->object() : none))
                                         : QString());
}

void WeightsPage::refresh() {
    if (m_session.outcome()) refreshResult();
    else refreshPlan();
    m_stack->setCurrentIndex(m_session.outcome() ? 1 : 0);
}

} // namespace wb::ui::convert
