// SPDX-License-Identifier: MIT
#include "ui/inspect/guide/guide_dialog.h"

#include "core/tensor/dtype.h"
#include "ui/inspect/document/glossary.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/tabs.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

namespace wb::ui::inspect {
namespace {

Cell guideCell(const QString& shown) {
    Cell cell;
    cell.shown = shown;
    cell.toolTip = shown;
    return cell;
}

template <typename... Texts>
std::vector<Cell> guideRow(const Texts&... texts) {
    return {guideCell(texts)...};
}

} // namespace

GuideDialog::GuideDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("formatGuide"));
    setWindowTitle(tr("Which format do I need?"));
    resize(900, 580);
    m_tables = makeTabs(QStringLiteral("guideTables"), this);
    m_tables->addTab(makeFormats(), tr("Formats"));
    auto* types = new CellTableView(tr("Tensor types"), m_tables);
    TableContent typeTable{{tr("Type"), tr("Meaning")}, {}};
    for (std::size_t i = 1; i < static_cast<std::size_t>(Dtype::Count); ++i) {
        const auto dtype = static_cast<Dtype>(i);
        typeTable.rows.push_back(guideRow(QString::fromLatin1(wb::name(dtype)), dtypeExplanation(dtype)));
    }
    types->setStretchedColumn(1);
    types->setTable(std::move(typeTable));
    m_tables->addTab(types, tr("Tensor types"));
    auto* files = new CellTableView(tr("File names"), m_tables);
    TableContent fileTable{{tr("File name"), tr("Meaning")}, {}};
    for (const FileNameEntry& entry : fileNameEntries())
        fileTable.rows.push_back(guideRow(QString::fromLatin1(entry.name), guideText(entry.meaning)));
    files->setStretchedColumn(1);
    files->setTable(std::move(fileTable));
    m_tables->addTab(files, tr("File names"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeQuestions());
    layout->addWidget(m_tables, 1);
    layout->addWidget(buttons);
    showAnswer();
}

QWidget* GuideDialog::makeQuestions() {
    auto* card = new Card(this);
    m_goal = new QComboBox(card);
    m_target = new QComboBox(card);
    m_goal->setObjectName(QStringLiteral("guideGoal"));
    m_target->setObjectName(QStringLiteral("guideTarget"));
    for (int i = 0; i <= static_cast<int>(Goal::Exchange); ++i) m_goal->addItem(goalText(static_cast<Goal>(i)));
    for (int i = 0; i <= static_cast<int>(Target::Intel); ++i) m_target->addItem(targetText(static_cast<Target>(i)));
    nameBox(m_goal, tr("Goal"));
    nameBox(m_target, tr("Device"));
    auto* form = new QFormLayout;
    form->addRow(tr("Goal"), m_goal);
    form->addRow(tr("Device"), m_target);
    m_name = makeHeading(card);
    m_name->setObjectName(QStringLiteral("guideAnswer"));
    m_reason = makeMutedLabel(card);
    m_convert = new QPushButton(tr("Convert…"), card);
    m_convert->setObjectName(QStringLiteral("guideConvert"));
    card->content()->addLayout(form);
    card->content()->addWidget(m_name);
    card->content()->addWidget(m_reason);
    card->content()->addWidget(m_convert, 0, Qt::AlignLeft);
    connect(m_goal, &QComboBox::currentIndexChanged, this, &GuideDialog::showAnswer);
    connect(m_target, &QComboBox::currentIndexChanged, this, &GuideDialog::showAnswer);
    connect(m_convert, &QPushButton::clicked, this, [this] {
        accept();
        emit convertWanted();
    });
    return card;
}

QWidget* GuideDialog::makeFormats() {
    m_formats = new CellTableView(tr("Formats"), m_tables);
    m_formats->setObjectName(QStringLiteral("guideFormats"));
    m_formats->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_formats->setStretchedColumn(5); // the texts before it are shown in full
    TableContent table{{tr("Format"), tr("Purpose"), tr("Stage"), tr("Contents"), tr("Safety"), tr("Runtimes")}, {}};
    for (const GuideEntry& entry : guideEntries())
        table.rows.push_back(guideRow(QString::fromLatin1(entry.name), guideText(entry.purpose), stageText(entry.stage),
                                      guideText(entry.contents), guideText(entry.safety), QString::fromLatin1(entry.runtimes)));
    m_formats->setTable(std::move(table));
    return m_formats;
}

void GuideDialog::choose(Goal goal, Target target) {
    m_goal->setCurrentIndex(static_cast<int>(goal));
    m_target->setCurrentIndex(static_cast<int>(target));
}

const GuideEntry& GuideDialog::answer() const {
    return recommendedFormat(static_cast<Goal>(m_goal->currentIndex()), static_cast<Target>(m_target->currentIndex()));
}

void GuideDialog::showAnswer() {
    const GuideEntry& entry = answer();
    m_name->setText(QString::fromLatin1(entry.name));
    m_reason->setText(
        tr("%1. %2 Runtimes: %3.").arg(guideText(entry.purpose), guideText(entry.safety), QString::fromLatin1(entry.runtimes)));
    m_convert->setEnabled(entry.isWritten);
    m_convert->setToolTip(entry.isWritten ? tr("Opens the model in Convert")
                                          : tr("Weighbridge does not write this format; use the tools of its runtime."));
    m_formats->selectRow(static_cast<int>(&entry - guideEntries().data()));
}

} // namespace wb::ui::inspect
