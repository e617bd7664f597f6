// SPDX-License-Identifier: MIT
#include "ui/convert/plan_page.h"

#include "core/base/problem_kinds.h"
#include "core/quant/quantize.h"
#include "ui/convert/convert_actions.h"
#include "ui/convert/folder/folder_panel.h"
#include "ui/convert/folder/pairs_model.h"
#include "ui/convert/quantize/cost_panel.h"
#include "ui/convert/quantize/mixes_panel.h"
#include "ui/convert/goal_panel.h"
#include "ui/convert/plan_model.h"
#include "ui/convert/quality.h"
#include "ui/convert/quantize/plan_text.h"
#include "ui/convert/confirm.h"
#include "ui/convert/run/kept_bar.h"
#include "ui/convert/table_parts.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/translate.h"
#include "ui/widgets/wheel.h"
#include "ui/widgets/tables/plain_table.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <span>
#include <utility>

namespace wb::ui::convert {
namespace {

constexpr std::size_t maxShown = 3;   // kinds of problems
constexpr std::size_t maxListed = 40; // problems in the tool tip
constexpr int sideWidth = 340;
constexpr int minTableWidth = 480; // less of the tensors cannot be read
constexpr int margin = 16;
constexpr int gap = 12;

enum Part { GoalPart, TensorsPart, PairsPart, MixesPart };

} // namespace

PlanPage::PlanPage(Wizard& wizard, const Services& services, ConvertActions& actions, QWidget* parent)
    : QWidget(parent), m_wizard(wizard), m_choices(wizard.choices()), m_plans(wizard.plans()), m_actions(actions),
      m_model(new PlanModel(this)), m_pairsModel(new PairsModel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(margin, 12, margin, 12);
    layout->setSpacing(gap);
    layout->addWidget(makeHead());
    layout->addWidget(m_kept = new KeptBar(this));
    layout->addWidget(m_parts = makeParts());
    auto* parts = new QHBoxLayout;
    parts->addWidget(m_side = makeSide(*services.settings));
    parts->addWidget(m_tensors = makeTensors(), 1);
    parts->addWidget(m_pairs = makePairs(), 1);
    parts->addWidget(m_mixesArea = makeMixes(), 1);
    m_mixesArea->viewport()->installEventFilter(this);
    layout->addLayout(parts, 1);
    layout->addWidget(makeFoot());
    connect(m_model, &PlanModel::typeWanted, this, [this](const QString& tensor, const QString& type) {
        m_choices.setTypes({tensor.toStdString()}, dtypeFromName(type.toStdString()));
    });
    connectActions();
    arrange();
    refresh();
}

void PlanPage::connectActions() {
    connect(m_actions.search, &QAction::triggered, m_search, [this] {
        m_parts->setCurrentIndex(TensorsPart);
        m_search->setFocus(Qt::ShortcutFocusReason);
    });
    const auto use = [this](QAction* action, auto does) { // of the page that is shown: writing weights has one, too
        connect(action, &QAction::triggered, this, [this, does] {
            if (isVisible()) does();
        });
    };
    use(m_actions.undo, [this] { m_choices.undo(); });
    use(m_actions.redo, [this] { m_choices.redo(); });
    use(m_actions.loadPlan, [this] { loadPlan(); });
    use(m_actions.savePlan, [this] { savePlan(); });
    connect(m_actions.copyOptions, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(commandOptions(m_plans.plan().get(), m_choices.request())); });
    use(m_actions.run, [this] { m_wizard.checkRun(target()); });
    connect(&m_wizard.runs(), &RunSession::checked, this, &PlanPage::onChecked);
    connect(&m_wizard, &Wizard::mixesChecked, this, &PlanPage::onMixesChecked);
    connect(m_kept, &KeptBar::resumeWanted, this, [this] {
        if (m_wizard.kept()) emit resumeWanted(*m_wizard.kept());
    });
    connect(m_kept, &KeptBar::discardWanted, this, [this] {
        if (m_wizard.kept()) emit discardWanted(*m_wizard.kept());
    });
    connect(&m_plans, &PlanSession::saveFailed, this, [this](const Sentence& why) { warn(this, tr("Save the plan"), why.text()); });
}

QWidget* PlanPage::makeHead() {
    auto* head = new QWidget(this);
    m_title = makeElidedHeading(head);
    m_failure = new QLabel(head);
    m_failure->setObjectName(QStringLiteral("failure"));
    m_failure->setTextFormat(Qt::PlainText);
    m_failure->setWordWrap(true);
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* other = new QPushButton(tr("Change model…"), head);
    other->setObjectName(QStringLiteral("otherModel"));
    connect(other, &QPushButton::clicked, this, &PlanPage::otherModelWanted);
    auto* layout = new QGridLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_title, 0, 0);
    layout->addWidget(other, 0, 1);
    layout->addWidget(m_failure, 1, 0, 1, 2);
    layout->setColumnStretch(0, 1);
    return head;
}

QTabBar* PlanPage::makeParts() {
    auto* parts = new QTabBar(this);
    parts->setObjectName(QStringLiteral("parts"));
    parts->setExpanding(false);
    parts->setDrawBase(false);
    parts->addTab(tr("Quantization"));
    parts->addTab(tr("Tensors"));
    parts->addTab(tr("Metadata"));
    parts->addTab(tr("Compare types"));
    connect(parts, &QTabBar::currentChanged, this, &PlanPage::arrange);
    return parts;
}

void PlanPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

bool PlanPage::eventFilter(QObject* watched, QEvent* event) {
    if (m_mixesArea && watched == m_mixesArea->viewport() && event->type() == QEvent::Resize)
        m_mixes->setRoom(m_mixesArea->viewport()->size());
    return QWidget::eventFilter(watched, event);
}

// Wide enough, the goal is always shown, and next to it one of the other parts.
void PlanPage::arrange() {
    if (!m_mixesArea) return; // not made yet
    const int needed = 2 * margin + sideWidth + gap + std::max(minTableWidth, m_tensors->minimumSizeHint().width());
    const bool isNarrow = width() < needed, isFolder = m_plans.isFolder();
    if (!isFolder && m_parts->currentIndex() == PairsPart) m_parts->setCurrentIndex(TensorsPart);
    // Qt 6.4 forgets to lay tabs out again where the last of these calls changes nothing.
    const auto show = [this](Part part, bool isShown) {
        if (m_parts->isTabVisible(part) != isShown) m_parts->setTabVisible(part, isShown);
    };
    show(GoalPart, isNarrow);
    if (m_plans.isAdapter() && m_parts->currentIndex() == MixesPart) m_parts->setCurrentIndex(TensorsPart);
    show(PairsPart, isFolder);
    show(MixesPart, !m_plans.isAdapter());
    const int part = m_parts->currentIndex();
    m_side->setVisible(!isNarrow || part == GoalPart);
    m_tensors->setVisible(part == TensorsPart);
    m_pairs->setVisible(part == PairsPart);
    m_mixesArea->setVisible(part == MixesPart);
    m_side->setMaximumWidth(isNarrow ? QWIDGETSIZE_MAX : sideWidth);
}

QScrollArea* PlanPage::makeSide(const WorkSettings& settings) {
    auto* side = new QWidget(this);
    m_goalCard = new Card(side);
    m_goalCard->setHeading(tr("Quantization"));
    m_goal = new GoalPanel(m_choices, m_plans, m_wizard.budget(), m_goalCard);
    m_goalCard->content()->addWidget(m_goal);
    auto* costs = new Card(side);
    costs->setHeading(tr("Estimate"));
    m_costs = new CostPanel(m_plans, m_wizard.speeds(), m_wizard.budget(), settings, costs);
    costs->content()->addWidget(m_costs);
    m_folderCard = new Card(side);
    m_folder = new FolderPanel(m_choices, m_plans, m_wizard.services(), m_folderCard);
    connect(m_folder, &FolderPanel::message, this, &PlanPage::message);
    m_folderCard->content()->addWidget(m_folder);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_folderCard);
    layout->addWidget(m_goalCard);
    layout->addWidget(costs);
    layout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(side);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(sideWidth);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

QLayout* PlanPage::makeSearchLine() {
    m_search = new QLineEdit(this);
    m_search->setObjectName(QStringLiteral("searchTensors"));
    m_search->setPlaceholderText(tr("Search tensors by name"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        tableProxy(m_table)->setFilterFixedString(text);
        refreshTensors();
    });
    leadDown(m_search, m_table);
    auto* layout = new QHBoxLayout;
    layout->addWidget(m_search, 1);
    for (QAction* action : {m_actions.undo, m_actions.redo}) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        layout->addWidget(button);
    }
    return layout;
}

// Actions on many tensors at once.
QLayout* PlanPage::makeBulkLine() {
    m_type = new QComboBox(this);
    m_type->setObjectName(QStringLiteral("bulkType"));
    needFocusForWheel(m_type);
    m_type->addItem(tr("Default for this quantization"), QString());
    for (const DtypeInfo& type : allDtypes()) {
        if (!quant::canQuantize(type.dtype)) continue;
        m_type->addItem(QString::fromLatin1(type.name), QString::fromLatin1(type.name));
        markMatrixType(m_type, type.dtype);
    }
    m_setSelected = new QPushButton(tr("Apply to selected"), this);
    m_setSelected->setObjectName(QStringLiteral("setSelected"));
    m_setShown = new QPushButton(tr("Apply to all shown"), this);
    m_setShown->setObjectName(QStringLiteral("setShown"));
    connect(m_setSelected, &QPushButton::clicked, this, [this] { setTypes(true); });
    connect(m_setShown, &QPushButton::clicked, this, [this] { setTypes(false); });
    auto* layout = new QHBoxLayout;
    layout->addWidget(m_type, 1);
    layout->addWidget(m_setSelected);
    layout->addWidget(m_setShown);
    return layout;
}

void PlanPage::takeMix(quant::FileType type) {
    Goal goal = m_wizard.budget().goal();
    goal.kind = Goal::Kind::Mix;
    m_wizard.budget().setGoal(goal);
    m_choices.setMix(type);
    m_parts->setCurrentIndex(TensorsPart);
}

QWidget* PlanPage::makeTensors() {
    auto* holder = new QWidget(this);
    m_table = makeTable(m_model, tr("Tensors and new types"), holder);
    m_table->setObjectName(QStringLiteral("planTable"));
    m_table->setItemDelegateForColumn(PlanModel::To, new TypeDelegate(tr("Default for this quantization"), m_table));
    m_table->setTextElideMode(Qt::ElideMiddle); // names differ at their ends
    for (const auto& [column, width] :
         {std::pair(PlanModel::ShapeColumn, 116), std::pair(PlanModel::From, 60), std::pair(PlanModel::To, 72),
          std::pair(PlanModel::Bytes, 76), std::pair(PlanModel::Bits, 54), std::pair(PlanModel::SourceColumn, 260),
          std::pair(PlanModel::TransformColumn, 130)})
        m_table->setColumnWidth(column, width);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::AnyKeyPressed);
    m_count = makeMutedLabel(holder);
    m_count->setObjectName(QStringLiteral("count"));
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PlanPage::refreshTensors);
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(makeSearchLine());
    layout->addLayout(makeBulkLine());
    nameBox(m_type, tr("Type to apply"));
    layout->addWidget(m_table, 1);
    layout->addWidget(m_count);
    return holder;
}

QWidget* PlanPage::makePairs() {
    auto* table = makeTable(m_pairsModel, tr("Metadata of the new file"), this);
    table->setObjectName(QStringLiteral("pairsTable"));
    table->setTextElideMode(Qt::ElideRight);
    table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    connect(m_pairsModel, &PairsModel::overrideWanted, this, &PlanPage::setPair);
    for (const auto& [column, width] :
         {std::pair(PairsModel::Value, 240), std::pair(PairsModel::Type, 76), std::pair(PairsModel::OriginColumn, 100)})
        table->setColumnWidth(column, width);
    return table;
}

// An invalid value is reported and changes nothing.
void PlanPage::setPair(const QString& key, const QString& text) {
    if (text.isEmpty()) return m_choices.setOverride(key.toStdString(), std::nullopt);
    auto override = quantize::parseKeyOverride(text.toStdString());
    if (!override) return emit message(translated(override.error()));
    m_choices.setOverride(key.toStdString(), std::move(*override));
}

QScrollArea* PlanPage::makeMixes() {
    m_mixes = new MixesPanel(m_wizard.mixes(), m_wizard.budget(), m_wizard.services());
    connect(m_mixes, &MixesPanel::mixWanted, this, &PlanPage::takeMix);
    connect(m_mixes, &MixesPanel::queueWanted, &m_wizard, &Wizard::checkMixes);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_mixes);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

QWidget* PlanPage::makeFoot() {
    auto* foot = new QWidget(this);
    m_target = new QLineEdit(foot);
    m_target->setObjectName(QStringLiteral("target"));
    m_target->setAccessibleName(tr("Output file"));
    connect(m_target, &QLineEdit::textEdited, this, [this] {
        m_wizard.setTarget(m_target->text());
        m_costs->refresh(target());
    });
    auto* browse = new QPushButton(icon(QStringLiteral("folder")), tr("Choose…"), foot);
    browse->setAccessibleName(tr("Choose output file"));
    connect(browse, &QPushButton::clicked, this, &PlanPage::askForTarget);
    m_run = new QPushButton(tr("Quantize"), foot);
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setDefault(true);
    connect(m_run, &QPushButton::clicked, this, [this] { m_wizard.checkRun(target()); });
    auto* caption = new QLabel(tr("&Write to"), foot);
    caption->setBuddy(m_target);
    auto* layout = new QHBoxLayout(foot);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(caption);
    layout->addWidget(m_target, 1);
    layout->addWidget(browse);
    layout->addWidget(makeKeepMenu(foot));
    layout->addWidget(m_run);
    return foot;
}

QPushButton* PlanPage::makeKeepMenu(QWidget* foot) {
    auto* keep = new QPushButton(icon(QStringLiteral("export")), tr("Plan file"), foot);
    keep->setObjectName(QStringLiteral("savePlan"));
    auto* menu = new QMenu(keep);
    menu->setToolTipsVisible(true);
    menu->addActions({m_actions.savePlan, m_actions.loadPlan, m_actions.copyOptions, m_actions.memory});
    keep->setMenu(menu);
    return keep;
}

// A bare name is for a file next to the model.
QString PlanPage::target() const {
    const QString text = m_target->text().trimmed();
    return text.isEmpty() ? text : QDir(QFileInfo(m_plans.path()).absolutePath()).absoluteFilePath(text);
}

void PlanPage::refresh() {
    m_title->setText(QFileInfo(m_plans.path()).fileName());
    refreshTarget();
    m_kept->showKept(m_wizard.kept() ? &*m_wizard.kept() : nullptr);
    m_model->setPlan(m_plans.plan(), m_choices.request().types, m_plans.conversion());
    refreshFolder();
    refreshProblems();
    m_goal->refresh();
    m_mixes->refresh();
    m_costs->refresh(target());
    refreshTensors();
    refreshActions();
}

void PlanPage::refreshFolder() {
    const bool isFolder = m_plans.isFolder();
    m_folderCard->setVisible(isFolder);
    m_folderCard->setHeading(m_plans.isAdapter() ? tr("Adapter") : tr("Hugging Face folder"));
    m_goalCard->setVisible(!m_plans.isAdapter()); // it has one type
    m_folder->refresh();
    for (const int column : {PlanModel::SourceColumn, PlanModel::TransformColumn}) m_table->setColumnHidden(column, !isFolder);
    m_pairsModel->setPlan(m_plans.conversion(), m_plans.plan() ? m_plans.plan()->model : nullptr, m_choices.request().overrides);
    const bool converts = m_plans.plain() || (isFolder && !m_plans.plan());
    m_run->setText(m_wizard.queue().isBusy() ? tr("Add to queue") : converts ? tr("Convert") : tr("Quantize"));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_type, m_setSelected, m_setShown})
        widget->setVisible(!m_plans.isAdapter());
    arrange();
}

// A target that was chosen stays through all changes of the plan, but not for another model.
void PlanPage::refreshTarget() {
    const bool isNew = std::exchange(m_searchOf, m_plans.path()) != m_plans.path();
    if (isNew) m_search->clear();
    // What was suggested for another model is none for this one.
    const QString target = m_plans.plan() || isNew ? m_wizard.target() : m_target->text();
    if (m_target->text() != target) m_target->setText(target);
}

void PlanPage::refreshActions() {
    const bool isPlan = m_wizard.step() == Wizard::Step::Plan;
    m_run->setEnabled(m_wizard.canRun());
    m_run->setToolTip(m_wizard.hasPlan() && !m_wizard.canRun() ? tr("Find the best types for this size first") : QString());
    m_actions.run->setEnabled(m_wizard.canRun());
    for (QAction* action : {m_actions.savePlan, m_actions.copyOptions}) action->setEnabled(m_wizard.hasPlan());
    for (QAction* action : {m_actions.loadPlan, m_actions.search}) action->setEnabled(isPlan && m_plans.model());
    m_actions.undo->setEnabled(isPlan && m_choices.canUndo());
    m_actions.redo->setEnabled(isPlan && m_choices.canRedo());
}

// What forbids the run, else what is worth knowing of the plan: the gravest kinds, all messages in the tool tip.
void PlanPage::refreshProblems() {
    const auto plan = m_plans.plan();
    QStringList shown, listed;
    if (!m_wizard.failure().isEmpty()) shown << m_wizard.failure();
    else if (plan) {
        const std::vector<ProblemKind> kinds = groupProblems(plan->problems);
        for (const ProblemKind& kind : std::span(kinds).first(std::min(kinds.size(), maxShown))) shown << kindText(kind);
        for (const Problem& problem : std::span(plan->problems).first(std::min(plan->problems.size(), maxListed)))
            listed << translated(asError(ErrorCode::Invalid, problem)).toHtmlEscaped();
    }
    m_failure->setText(joined(shown));
    setTone(m_failure, m_wizard.failure().isEmpty() ? Tone::Normal : Tone::Error);
    m_failure->setToolTip(listed.size() > 1 ? listed.join(QStringLiteral("<br>")) : QString());
    m_failure->setVisible(!shown.isEmpty());
}

QString PlanPage::kindText(const ProblemKind& kind) const {
    const QString first = translated(asError(ErrorCode::Invalid, *kind.first));
    return kind.count == 1 ? first : joined({first, tr("And %n similar messages.", nullptr, static_cast<int>(kind.count) - 1)});
}

void PlanPage::refreshTensors() {
    const int shown = tableProxy(m_table)->rowCount();
    const auto selected = m_table->selectionModel()->selectedRows().size();
    QString text = tr("%L1 of %L2 tensors").arg(shown).arg(m_model->rowCount());
    if (m_plans.isPlanning()) text += QStringLiteral(" · ") + tr("planning…");
    m_count->setText(text);
    m_setSelected->setEnabled(selected > 0);
    m_setShown->setEnabled(shown > 0);
}

// Those that can become the type.
std::vector<std::string> PlanPage::shownTensors(bool selectedOnly, const QString& type) const {
    std::vector<std::string> names;
    const auto* proxy = tableProxy(m_table);
    for (int row = 0; row < proxy->rowCount(); ++row) {
        if (selectedOnly && !m_table->selectionModel()->isRowSelected(row, {})) continue;
        const QModelIndex source = proxy->mapToSource(proxy->index(row, 0));
        if (m_model->isFixed(source.row())) continue;
        if (type.isEmpty() || source.data(TypesRole).toStringList().contains(type))
            names.push_back(m_model->tensorName(source.row()));
    }
    return names;
}

void PlanPage::setTypes(bool selectedOnly) {
    const QString type = m_type->currentData().toString();
    const auto tensors = shownTensors(selectedOnly, type);
    const std::size_t asked = shownTensors(selectedOnly, {}).size();
    m_choices.setTypes(tensors, dtypeFromName(type.toStdString())); // first, because a choice clears the earlier message
    if (asked == 0) emit message(tr("These tensors are never quantized."));
    else if (tensors.size() < asked) emit message(refusal(type, asked - tensors.size(), asked));
}

QString PlanPage::refusal(const QString& type, std::size_t refused, std::size_t asked) const {
    if (quant::weightUse(dtypeFromName(type.toStdString()).value_or(Dtype::Unknown)) == quant::WeightUse::Required)
        return tr("%L1 of %L2 tensors keep their type: %3 requires importance data for them and row sizes divisible by its block "
                  "size.")
            .arg(refused)
            .arg(asked)
            .arg(type);
    return tr("%L1 of %L2 tensors keep their type: their row sizes are not divisible by the block size of %3.")
        .arg(refused)
        .arg(asked)
        .arg(type);
}

void PlanPage::askForTarget() {
    const QString path = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getSaveFileName(window, tr("Choose output file"), target(), tr("GGUF models (*.gguf)"), nullptr,
                                            QFileDialog::DontConfirmOverwrite);
    });
    if (path.isEmpty()) return;
    m_wizard.setTarget(path);
    m_target->setText(path);
    m_costs->refresh(path);
}

void PlanPage::savePlan() {
    QString path = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getSaveFileName(window, tr("Save the plan"), target() + ending, tr("Plans (*.plan.json)"));
    });
    if (path.isEmpty()) return;
    if (!path.endsWith(ending)) { // only such files are offered for opening
        if (path.endsWith(QStringLiteral(".json"))) path.chop(5);
        path += ending;
        const QString text = tr("%1 already exists.").arg(shortPath(path));
        if (QFileInfo::exists(path) && !isConfirmed(this, tr("Replace the file?"), text, tr("Replace"))) return;
    }
    m_plans.savePlan(path);
}

void PlanPage::loadPlan() {
    const QString folder = QFileInfo(m_plans.path()).path();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Open plan"), folder, tr("Plans (*.plan.json)"));
    });
    if (!path.isEmpty()) m_plans.loadPlan(path);
}

// A dialog runs the event loop, in which this page may be deleted; the answer is an empty one then.
void PlanPage::onChecked(RunCheck check) {
    if (check.conflict && !mayDiscard(*check.conflict, check.target)) return;
    const QString text = tr("%1 already exists.").arg(shortPath(check.target));
    if (check.exists && !isConfirmed(this, tr("Replace the file?"), text, tr("Replace it when the new file is complete"))) return;
    m_wizard.run(check.target, check.exists);
}

// What is in the way of one is asked once for all.
void PlanPage::onMixesChecked(const QList<PlannedRun>& planned) {
    QStringList lost;
    QList<QueuedRun> runs;
    for (PlannedRun each : planned) {
        if (!each.check.problem.isEmpty()) return emit message(each.check.problem);
        if (each.check.exists || each.check.conflict) lost << QFileInfo(each.run.target).fileName();
        each.run.replace = each.check.exists;
        runs << each.run;
    }
    const QString text = tr("Already exists, fully or in part: %1.").arg(lost.join(QStringLiteral(", ")));
    const QString confirm = tr("Replace each file when its new version is complete");
    if (!lost.isEmpty() && !isConfirmed(this, tr("Replace the files?"), text, confirm)) return;
    m_wizard.queue(runs);
}

bool PlanPage::mayDiscard(const ConflictingRun& conflict, const QString& target) {
    const QString name = shortPath(target);
    const QString kept =
        conflict.percent ? tr("An unfinished job with a different plan has written %L1% of %2.").arg(*conflict.percent).arg(name)
                         : tr("An unfinished job with a different plan has written part of %1.").arg(name);
    const QString ways =
        conflict.run ? tr("Starting over deletes it; resuming it closes this plan.") : tr("Starting over deletes it.");
    const QString other = conflict.run ? tr("Resume that job") : QString();
    const Answer answer = confirmOr(this, tr("Discard the unfinished job?"), joined({kept, ways}), tr("Start over"), other);
    if (answer == Answer::Other) m_wizard.resume(*conflict.run);
    return answer == Answer::Confirm;
}

} // namespace wb::ui::convert
