// SPDX-License-Identifier: MIT
#include "ui/convert/plan_page.h"

#include "core/quant/quantize.h"
#include "ui/convert/convert_actions.h"
#include "ui/convert/facts_panel.h"
#include "ui/convert/goal_panel.h"
#include "ui/convert/plan_model.h"
#include "ui/convert/question.h"
#include "ui/convert/table_parts.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/translate.h"
#include "ui/widgets/wheel.h"
#include "ui/widgets/plain_table.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
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
#include <QSaveFile>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace wb::ui::convert {
namespace {

constexpr int mostListed = 40; // problems in the tool tip
constexpr int sideWidth = 340;
constexpr int leastTable = 480; // what can be read of the tensors beside the goal
constexpr int margin = 16;
constexpr int gap = 12;

} // namespace

PlanPage::PlanPage(Wizard& wizard, const Services& services, ConvertActions& actions, QWidget* parent)
    : QWidget(parent), m_wizard(wizard), m_actions(actions), m_model(new PlanModel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(margin, 12, margin, 12);
    layout->setSpacing(gap);
    layout->addWidget(makeHead());
    layout->addWidget(m_parts = makeParts());
    auto* parts = new QHBoxLayout;
    parts->addWidget(m_side = makeSide(services.threads));
    parts->addWidget(m_tensors = makeTensors(), 1);
    layout->addLayout(parts, 1);
    layout->addWidget(makeFoot());
    connect(m_model, &PlanModel::typeWanted, this, [this](const QString& tensor, const QString& type) {
        m_wizard.setTypes({tensor.toStdString()}, dtypeFromName(type.toStdString()));
    });
    connectActions();
    arrange();
    refresh();
}

void PlanPage::connectActions() {
    connect(m_actions.search, &QAction::triggered, m_search, [this] {
        m_parts->setCurrentIndex(1);
        m_search->setFocus(Qt::ShortcutFocusReason);
    });
    connect(m_actions.undo, &QAction::triggered, this, [this] { m_wizard.undo(); });
    connect(m_actions.redo, &QAction::triggered, this, [this] { m_wizard.redo(); });
    connect(m_actions.loadPlan, &QAction::triggered, this, &PlanPage::loadPlan);
    connect(m_actions.savePlan, &QAction::triggered, this, &PlanPage::savePlan);
    connect(m_actions.copyOptions, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(m_wizard.optionsText()); });
    connect(m_actions.run, &QAction::triggered, this, &PlanPage::start);
}

QWidget* PlanPage::makeHead() {
    auto* head = new QWidget(this);
    m_title = makeElidedHeading(head);
    m_failure = new QLabel(head);
    m_failure->setObjectName(QStringLiteral("failure"));
    m_failure->setTextFormat(Qt::PlainText);
    m_failure->setWordWrap(true);
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* other = new QPushButton(tr("Another model…"), head);
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
    parts->addTab(tr("Goal"));
    parts->addTab(tr("Tensors"));
    connect(parts, &QTabBar::currentChanged, this, &PlanPage::arrange);
    return parts;
}

void PlanPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void PlanPage::arrange() {
    if (!m_tensors) return; // not made yet
    const int needed = 2 * margin + sideWidth + gap + std::max(leastTable, m_tensors->minimumSizeHint().width());
    const bool isNarrow = width() < needed;
    m_parts->setVisible(isNarrow);
    m_side->setVisible(!isNarrow || m_parts->currentIndex() == 0);
    m_tensors->setVisible(!isNarrow || m_parts->currentIndex() == 1);
    m_side->setMaximumWidth(isNarrow ? QWIDGETSIZE_MAX : sideWidth);
}

QScrollArea* PlanPage::makeSide(unsigned threads) {
    auto* side = new QWidget(this);
    auto* goal = new Card(side);
    goal->setHeading(tr("Goal"));
    m_goal = new GoalPanel(m_wizard, goal);
    goal->content()->addWidget(m_goal);
    auto* facts = new Card(side);
    facts->setHeading(tr("What it costs"));
    m_facts = new FactsPanel(m_wizard, threads, facts);
    facts->content()->addWidget(m_facts);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(goal);
    layout->addWidget(facts);
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
        proxyOf(m_table)->setFilterFixedString(text);
        refreshTensors();
    });
    auto* layout = new QHBoxLayout;
    layout->addWidget(m_search, 1);
    for (QAction* action : {m_actions.undo, m_actions.redo}) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        layout->addWidget(button);
    }
    return layout;
}

// What is done with many tensors at once.
QLayout* PlanPage::makeBulkLine() {
    m_type = new QComboBox(this);
    m_type->setObjectName(QStringLiteral("bulkType"));
    needFocusForWheel(m_type);
    m_type->addItem(tr("As the mix says"), QString());
    for (const DtypeInfo& type : allDtypes())
        if (quant::canQuantize(type.dtype)) m_type->addItem(QString::fromLatin1(type.name), QString::fromLatin1(type.name));
    m_setSelected = new QPushButton(tr("Set for the selected"), this);
    m_setSelected->setObjectName(QStringLiteral("setSelected"));
    m_setShown = new QPushButton(tr("Set for all shown"), this);
    m_setShown->setObjectName(QStringLiteral("setShown"));
    connect(m_setSelected, &QPushButton::clicked, this, [this] { setTypes(true); });
    connect(m_setShown, &QPushButton::clicked, this, [this] { setTypes(false); });
    auto* layout = new QHBoxLayout;
    layout->addWidget(m_type, 1);
    layout->addWidget(m_setSelected);
    layout->addWidget(m_setShown);
    return layout;
}

QWidget* PlanPage::makeTensors() {
    auto* holder = new QWidget(this);
    m_table = makeTable(m_model, tr("Tensors and their new types"), holder);
    m_table->setObjectName(QStringLiteral("planTable"));
    m_table->setItemDelegateForColumn(PlanModel::To, new TypeDelegate(m_table));
    m_table->setTextElideMode(Qt::ElideMiddle); // names differ at their ends
    for (const auto& [column, width] :
         {std::pair(PlanModel::ShapeColumn, 116), std::pair(PlanModel::From, 60), std::pair(PlanModel::To, 72),
          std::pair(PlanModel::Bytes, 76), std::pair(PlanModel::Bits, 54)})
        m_table->setColumnWidth(column, width);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    m_count = makeMutedLabel(holder);
    m_count->setObjectName(QStringLiteral("count"));
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PlanPage::refreshTensors);
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(makeSearchLine());
    layout->addLayout(makeBulkLine());
    nameBox(m_type, tr("Type to set"));
    layout->addWidget(m_table, 1);
    layout->addWidget(m_count);
    return holder;
}

QWidget* PlanPage::makeFoot() {
    auto* foot = new QWidget(this);
    m_target = new QLineEdit(foot);
    m_target->setObjectName(QStringLiteral("target"));
    m_target->setAccessibleName(tr("File to write"));
    connect(m_target, &QLineEdit::textEdited, this, [this] {
        m_wizard.setTarget(m_target->text());
        m_facts->refresh(target());
    });
    auto* browse = new QPushButton(icon(QStringLiteral("folder")), tr("Choose…"), foot);
    browse->setAccessibleName(tr("Choose the file to write"));
    connect(browse, &QPushButton::clicked, this, &PlanPage::askForTarget);
    m_run = new QPushButton(tr("Quantize"), foot);
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setDefault(true);
    connect(m_run, &QPushButton::clicked, this, &PlanPage::start);
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
    auto* keep = new QPushButton(icon(QStringLiteral("export")), tr("Keep the plan"), foot);
    keep->setObjectName(QStringLiteral("savePlan"));
    auto* menu = new QMenu(keep);
    menu->setToolTipsVisible(true);
    menu->addActions({m_actions.savePlan, m_actions.loadPlan, m_actions.copyOptions});
    keep->setMenu(menu);
    return keep;
}

// A bare name stands for a file beside the model.
QString PlanPage::target() const {
    const QString text = m_target->text().trimmed();
    return text.isEmpty() ? text : QDir(QFileInfo(m_wizard.modelPath()).absolutePath()).absoluteFilePath(text);
}

void PlanPage::refresh() {
    const auto plan = m_wizard.plan();
    m_title->setText(m_wizard.modelPath().isEmpty() ? QString() : QFileInfo(m_wizard.modelPath()).fileName());
    refreshTarget();
    m_model->setPlan(plan, m_wizard.request().types);
    refreshProblems();
    m_goal->refresh();
    m_facts->refresh(target());
    refreshTensors();
    refreshActions();
}

// A target that was chosen stays through all changes of the plan, but not for another model.
void PlanPage::refreshTarget() {
    if (std::exchange(m_searchOf, m_wizard.modelPath()) != m_wizard.modelPath()) m_search->clear();
    if (m_wizard.plan() && m_target->text() != m_wizard.wantedTarget()) m_target->setText(m_wizard.wantedTarget());
}

void PlanPage::refreshActions() {
    const bool canRun = m_wizard.step() == Wizard::Step::Plan && m_wizard.canRun();
    m_run->setEnabled(canRun);
    for (QAction* action : {m_actions.run, m_actions.savePlan, m_actions.copyOptions}) action->setEnabled(canRun);
    for (QAction* action : {m_actions.loadPlan, m_actions.search})
        action->setEnabled(m_wizard.step() == Wizard::Step::Plan && m_wizard.model());
    m_actions.undo->setEnabled(m_wizard.canUndo());
    m_actions.redo->setEnabled(m_wizard.canRedo());
}

// What forbids the run, else what is worth knowing of the plan: the gravest in full, the others in the tool tip.
void PlanPage::refreshProblems() {
    const QStringList problems = problemTexts();
    QString text = problems.value(0);
    if (problems.size() > 1) text += u' ' + tr("And %n more like this.", nullptr, static_cast<int>(problems.size()) - 1);
    m_failure->setText(text);
    const QString listed = problems.mid(0, mostListed).join(u'\n').toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
    m_failure->setToolTip(problems.size() > 1 ? listed : QString());
    m_failure->setVisible(!text.isEmpty());
}

QStringList PlanPage::problemTexts() const {
    if (!m_wizard.failure().isEmpty()) return {m_wizard.failure()};
    const auto plan = m_wizard.plan();
    if (!plan) return {};
    std::vector<const Problem*> problems;
    for (const Problem& problem : plan->problems) problems.push_back(&problem);
    std::ranges::stable_sort(problems, std::greater(), [](const Problem* problem) { return problem->severity; });
    QStringList texts;
    for (const Problem* problem : problems) texts << translated(asError(ErrorCode::Invalid, *problem));
    return texts;
}

void PlanPage::refreshTensors() {
    const int shown = proxyOf(m_table)->rowCount();
    const auto selected = m_table->selectionModel()->selectedRows().size();
    QString text = tr("%L1 of %L2 tensors").arg(shown).arg(m_model->rowCount());
    if (m_wizard.isPlanning()) text += QStringLiteral(" · ") + tr("planning…");
    m_count->setText(text);
    m_setSelected->setEnabled(selected > 0);
    m_setShown->setEnabled(shown > 0);
}

// Those that can become the type.
std::vector<std::string> PlanPage::shownTensors(bool selectedOnly, const QString& type) const {
    std::vector<std::string> names;
    const auto* proxy = proxyOf(m_table);
    for (int row = 0; row < proxy->rowCount(); ++row) {
        if (selectedOnly && !m_table->selectionModel()->isRowSelected(row, {})) continue;
        const QModelIndex source = proxy->mapToSource(proxy->index(row, 0));
        if (m_model->isFixed(source.row())) continue;
        if (type.isEmpty() || source.data(TypesRole).toStringList().contains(type)) names.push_back(m_model->tensorName(source.row()));
    }
    return names;
}

void PlanPage::setTypes(bool selectedOnly) {
    const QString type = m_type->currentData().toString();
    const auto tensors = shownTensors(selectedOnly, type);
    const std::size_t asked = shownTensors(selectedOnly, {}).size();
    m_wizard.setTypes(tensors, dtypeFromName(type.toStdString())); // first: what is said is said of this choice
    if (asked == 0) emit message(tr("These tensors are never quantized."));
    else if (tensors.size() < asked) emit message(refusal(type, asked - tensors.size(), asked));
}

QString PlanPage::refusal(const QString& type, std::size_t refused, std::size_t asked) const {
    if (quant::weightUse(dtypeFromName(type.toStdString()).value_or(Dtype::Unknown)) == quant::WeightUse::Required)
        return tr("%L1 of %L2 tensors stay as they are: %3 needs an importance matrix for them, and rows that its blocks divide.")
            .arg(refused)
            .arg(asked)
            .arg(type);
    return tr("%L1 of %L2 tensors stay as they are: the blocks of %3 do not divide their rows.").arg(refused).arg(asked).arg(type);
}

void PlanPage::askForTarget() {
    const QString path = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getSaveFileName(window, tr("Choose the file to write"), target(), tr("GGUF models (*.gguf)"), nullptr,
                                            QFileDialog::DontConfirmOverwrite);
    });
    if (path.isEmpty()) return;
    m_wizard.setTarget(path);
    m_target->setText(path);
    m_facts->refresh(path);
}

void PlanPage::savePlan() {
    QString path = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getSaveFileName(window, tr("Save the plan"), target() + ending, tr("Plans (*.plan.json)"));
    });
    if (path.isEmpty()) return;
    const auto plan = m_wizard.savedPlan();
    if (!plan) return warn(this, tr("Save the plan"), translated(plan.error()));
    if (!path.endsWith(ending)) { // only such files are offered for opening
        if (path.endsWith(QStringLiteral(".json"))) path.chop(5);
        path += ending;
        const QString text = tr("%1 exists already.").arg(shortPath(path));
        if (QFileInfo::exists(path) && !isConfirmed(this, tr("Replace the file?"), text, tr("Replace it"))) return;
    }
    QSaveFile file(path);
    const bool saved = file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(*plan)) >= 0 && file.commit();
    if (!saved) warn(this, tr("Save the plan"), tr("The plan could not be saved to %1.").arg(shortPath(path)));
}

void PlanPage::loadPlan() {
    const QString folder = QFileInfo(m_wizard.modelPath()).path();
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Open a kept plan"), folder, tr("Plans (*.plan.json)"));
    });
    if (!path.isEmpty()) m_wizard.loadPlan(path);
}

void PlanPage::start() {
    const QString path = target();
    const bool exists = m_wizard.targetExists(path);
    if (m_wizard.targetProblem(path).isEmpty()) {
        if (!mayBeginAnew(path)) return;
        const QString text = tr("%1 exists already.").arg(shortPath(path));
        if (exists && !isConfirmed(this, tr("Replace the file?"), text, tr("Replace it when the new one is whole"))) return;
    }
    m_wizard.run(path, exists);
}

// Where the run would take the place of an unfinished one that makes something else.
bool PlanPage::mayBeginAnew(const QString& target) {
    const auto found = m_wizard.endangered(target);
    if (!found) return true;
    const QString name = shortPath(target);
    const QString kept = found->percent ? tr("A run with another plan has done %L1 % of %2, which is kept.").arg(*found->percent).arg(name)
                                        : tr("A run with another plan has done a part of %1, which is kept.").arg(name);
    const QString ways = found->run ? tr("To begin anew removes it; to continue that run leaves this plan.")
                                    : tr("To begin anew removes it.");
    const QString besides = found->run ? tr("Continue that run") : QString();
    const Answer answer = ask(this, tr("Discard the unfinished run?"), kept + u' ' + ways, tr("Begin anew"), besides);
    if (answer == Answer::Besides) m_wizard.resume(*found->run);
    return answer == Answer::Yes;
}

} // namespace wb::ui::convert
