// SPDX-License-Identifier: MIT
#include "ui/convert/plan_page.h"

#include "core/quant/quantize.h"
#include "ui/convert/facts_panel.h"
#include "ui/convert/goal_panel.h"
#include "ui/convert/plan_model.h"
#include "ui/convert/table_parts.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/translate.h"

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
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <set>

namespace wb::ui::convert {

PlanPage::PlanPage(Wizard& wizard, const Services& services, QWidget* parent)
    : QWidget(parent), m_wizard(wizard), m_model(new PlanModel(this)) {
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(12);
    layout->addWidget(makeHead(), 0, 0, 1, 2);
    layout->addWidget(makeSide(services.threads), 1, 0);
    layout->addWidget(makeTensors(), 1, 1);
    layout->addWidget(makeFoot(), 2, 0, 1, 2);
    layout->setColumnStretch(1, 1);
    layout->setRowStretch(1, 1);
    connect(m_model, &PlanModel::typeWanted, this, [this](const QString& tensor, const QString& type) {
        m_wizard.setTypes({tensor.toStdString()}, dtypeFromName(type.toStdString()));
    });
    refresh();
}

QWidget* PlanPage::makeHead() {
    auto* head = new QWidget(this);
    m_title = makeHeading(head);
    m_title->setTextFormat(Qt::PlainText);
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

QWidget* PlanPage::makeSide(unsigned threads) {
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
    scroll->setFixedWidth(360);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

QWidget* PlanPage::makeTensors() {
    auto* holder = new QWidget(this);
    m_search = new QLineEdit(holder);
    m_search->setObjectName(QStringLiteral("searchTensors"));
    m_search->setPlaceholderText(tr("Search tensors by name"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_type = new QComboBox(holder);
    m_type->setObjectName(QStringLiteral("bulkType"));
    m_type->setAccessibleName(tr("Type to set"));
    m_type->addItem(tr("As the mix says"), QString());
    for (const DtypeInfo& type : allDtypes())
        if (quant::canQuantize(type.dtype)) m_type->addItem(QString::fromLatin1(type.name), QString::fromLatin1(type.name));
    m_setSelected = new QPushButton(tr("Set for the selected"), holder);
    m_setSelected->setObjectName(QStringLiteral("setSelected"));
    m_setShown = new QPushButton(tr("Set for all shown"), holder);
    m_setShown->setObjectName(QStringLiteral("setShown"));
    m_table = makeTable(m_model, tr("Tensors and their new types"), holder);
    m_table->setObjectName(QStringLiteral("planTable"));
    m_table->setItemDelegateForColumn(PlanModel::To, new TypeDelegate(m_table));
    m_table->setColumnWidth(PlanModel::Bits, 130);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    m_count = makeMutedLabel(holder);
    m_count->setObjectName(QStringLiteral("count"));
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        proxyOf(m_table)->setFilterFixedString(text);
        refreshTensors();
    });
    connect(m_setSelected, &QPushButton::clicked, this, [this] { setTypes(true); });
    connect(m_setShown, &QPushButton::clicked, this, [this] { setTypes(false); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PlanPage::refreshTensors);
    auto* layout = new QGridLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_search, 0, 0);
    layout->addWidget(m_type, 0, 1);
    layout->addWidget(m_setSelected, 0, 2);
    layout->addWidget(m_setShown, 0, 3);
    layout->addWidget(m_table, 1, 0, 1, 4);
    layout->addWidget(m_count, 2, 0, 1, 4);
    layout->setColumnStretch(0, 1);
    return holder;
}

QWidget* PlanPage::makeFoot() {
    auto* foot = new QWidget(this);
    m_target = new QLineEdit(foot);
    m_target->setObjectName(QStringLiteral("target"));
    m_target->setAccessibleName(tr("File to write"));
    connect(m_target, &QLineEdit::textEdited, this, [this] {
        m_targetChosen = true;
        m_facts->refresh(target());
    });
    auto* browse = new QPushButton(icon(QStringLiteral("folder")), tr("Choose…"), foot);
    browse->setAccessibleName(tr("Choose the file to write"));
    connect(browse, &QPushButton::clicked, this, &PlanPage::askForTarget);
    makeSaveMenu(foot);
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
    layout->addWidget(m_save);
    layout->addWidget(m_run);
    return foot;
}

void PlanPage::makeSaveMenu(QWidget* foot) {
    m_save = new QPushButton(icon(QStringLiteral("export")), tr("Keep the plan"), foot);
    m_save->setObjectName(QStringLiteral("savePlan"));
    auto* menu = new QMenu(m_save);
    menu->setToolTipsVisible(true);
    QAction* save = menu->addAction(icon(QStringLiteral("export")), tr("Save the plan…"), this, &PlanPage::savePlan);
    save->setToolTip(tr("Keeps the plan in a file, which can be run later, or elsewhere by the command-line program"));
    QAction* copy = menu->addAction(icon(QStringLiteral("copy")), tr("Copy as options"), this,
                                    [this] { QGuiApplication::clipboard()->setText(m_wizard.optionsText()); });
    copy->setObjectName(QStringLiteral("copyOptions"));
    copy->setToolTip(tr("The same types as --tensor-type options, for wb quantize and llama-quantize"));
    m_save->setMenu(menu);
}

// A bare name stands for a file beside the model.
QString PlanPage::target() const {
    const QString text = m_target->text().trimmed();
    return text.isEmpty() ? text : QDir(QFileInfo(m_wizard.modelPath()).absolutePath()).absoluteFilePath(text);
}

void PlanPage::refresh() {
    const auto plan = m_wizard.plan();
    m_title->setText(m_wizard.modelPath().isEmpty() ? QString() : QFileInfo(m_wizard.modelPath()).fileName());
    if (plan && !m_targetChosen) m_target->setText(m_wizard.suggestedTarget());
    m_model->setPlan(plan, m_wizard.request().types);
    refreshProblems();
    m_goal->refresh();
    m_facts->refresh(target());
    refreshTensors();
    m_run->setEnabled(m_wizard.canRun());
    m_save->setEnabled(m_wizard.canRun());
}

// What forbids the run, else what is worth knowing of the plan.
void PlanPage::refreshProblems() {
    const auto plan = m_wizard.plan();
    QString text = m_wizard.failure();
    std::size_t more = 0;
    if (text.isEmpty() && plan) {
        std::vector<const Problem*> problems;
        for (const Problem& problem : plan->problems) problems.push_back(&problem);
        std::ranges::stable_sort(problems, std::greater(), [](const Problem* problem) { return problem->severity; });
        if (!problems.empty()) {
            text = translated(Error{ErrorCode::Invalid, problems[0]->format, problems[0]->arguments, {}});
            more = problems.size() - 1;
        }
    }
    if (more > 0) text += u' ' + tr("And %n more like this.", nullptr, static_cast<int>(more));
    m_failure->setText(text);
    m_failure->setVisible(!text.isEmpty());
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
    m_wizard.setTypes(shownTensors(selectedOnly, type), dtypeFromName(type.toStdString()));
}

void PlanPage::askForTarget() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Choose the file to write"), target(), tr("GGUF models (*.gguf)"), nullptr,
                                                      QFileDialog::DontConfirmOverwrite);
    if (path.isEmpty()) return;
    m_targetChosen = true;
    m_target->setText(path);
    m_facts->refresh(path);
}

void PlanPage::savePlan() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the plan"), target() + QStringLiteral(".plan.json"), tr("Plans (*.plan.json)"));
    if (path.isEmpty()) return;
    QSaveFile file(path);
    const bool saved = file.open(QIODevice::WriteOnly) && file.write(m_wizard.planText().toUtf8()) >= 0 && file.commit();
    if (!saved) QMessageBox::warning(this, tr("Save the plan"), tr("The plan could not be saved to %1.").arg(shortPath(path)));
}

void PlanPage::start() {
    const bool exists = m_wizard.targetExists(target());
    if (exists && m_wizard.targetProblem(target()).isEmpty()) {
        QMessageBox box(QMessageBox::Question, tr("Replace the file?"), tr("%1 exists already.").arg(shortPath(target())), QMessageBox::NoButton, this);
        const QPushButton* replace = box.addButton(tr("Replace it when the new one is whole"), QMessageBox::DestructiveRole);
        box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox::RejectRole));
        box.exec();
        if (box.clickedButton() != replace) return;
    }
    m_wizard.run(target(), exists);
}

} // namespace wb::ui::convert
