// SPDX-License-Identifier: MIT
#include "ui/inspect/compare/compare_page.h"

#include "core/base/json_writer.h"
#include "core/diff/report.h"
#include "ui/inspect/compare/compare_tables.h"
#include "ui/inspect/compare/comparison_model.h"
#include "ui/inspect/compare/difference_view.h"
#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/tables/copy.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/tabs.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSaveFile>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

QString sideText(const QString& letter, const ComparedSide& side) {
    return side.path.isEmpty() ? QString() : QStringLiteral("%1: %2").arg(letter, side.title());
}

QLabel* makePlainLabel(QWidget* parent) {
    QLabel* const label = makeMutedLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(false);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

std::string reportJson(const diff::Comparison& comparison) {
    std::string text;
    JsonWriter out([&](std::string_view piece) { text += piece; });
    diff::writeJson(out, comparison);
    out.finish();
    return text;
}

} // namespace

ComparePage::ComparePage(CompareSession& session, ChooseOther::OpenSides openSides, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new ComparisonModel(this)), m_filter(new ComparisonFilter(m_model, this)),
      m_stack(new QStackedWidget(this)), m_choose(new ChooseOther(session.services(), std::move(openSides), m_stack)),
      m_bar(new MessageBar(this)), m_staleBar(new MessageBar(this)) {
    m_bar->setObjectName(QStringLiteral("compareBar"));
    m_staleBar->setObjectName(QStringLiteral("staleBar"));
    m_views = makeTabs(QStringLiteral("compareViews"), m_stack);
    m_views->addTab(makeTensors(), tr("Tensors"));
    m_metadata = new CellTableView(tr("Differences of the metadata"), m_views);
    m_metadata->setObjectName(QStringLiteral("metadataDifferences"));
    m_metadata->setStretchedColumn(2);
    m_metadata->setEmptyText(tr("The metadata is equal."));
    m_views->addTab(m_metadata, tr("Metadata"));
    m_views->addTab(makeTokenizer(), tr("Tokenizer"));
    auto* templates = new QWidget(m_views);
    m_templateText = makePlainLabel(templates);
    m_template = new CellTableView(tr("Lines of both chat templates"), templates);
    m_template->setObjectName(QStringLiteral("templateDifferences"));
    auto* column = new QVBoxLayout(templates);
    column->addWidget(m_templateText);
    column->addWidget(m_template, 1);
    m_views->addTab(templates, tr("Chat template"));
    m_stack->addWidget(m_choose);
    m_stack->addWidget(m_views);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->setSpacing(6);
    layout->addWidget(makeHead());
    layout->addWidget(m_bar);
    layout->addWidget(m_staleBar);
    layout->addWidget(m_stack, 1);
    m_bar->hide();
    m_staleBar->hide();
    connectAll();
    refresh();
}

QWidget* ComparePage::makeHead() {
    auto* head = new QFrame(this);
    head->setProperty("card", true);
    m_a = makeElidedHeading(head);
    m_b = makeElidedHeading(head);
    m_a->setObjectName(QStringLiteral("compareA"));
    m_b->setObjectName(QStringLiteral("compareB"));
    m_swap = new QToolButton(head);
    m_swap->setIcon(icon(QStringLiteral("convert")));
    m_swap->setAccessibleName(tr("Swap A and B"));
    m_swap->setToolTip(m_swap->accessibleName());
    m_mapping = new QToolButton(head);
    m_mapping->setObjectName(QStringLiteral("compareMapping"));
    m_mapping->setText(tr("Mapping"));
    m_mapping->setToolTip(tr("Pairs of tensors chosen by you and tensors to ignore"));
    m_mapping->setPopupMode(QToolButton::InstantPopup);
    makeMenu(m_mapping);
    m_export = new QPushButton(icon(QStringLiteral("export")), tr("Export…"), head);
    m_export->setToolTip(tr("Save the comparison as JSON, as wb diff --json prints it, or the table as CSV"));
    m_start = new QPushButton(head);
    m_start->setObjectName(QStringLiteral("compareStart"));
    m_summary = makePlainLabel(head);
    m_summary->setObjectName(QStringLiteral("compareSummary"));
    m_progress = new QProgressBar(head);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(160, 6);
    m_progress->setAccessibleName(tr("Progress of the comparison"));
    auto* names = new QHBoxLayout;
    names->addWidget(m_a, 1);
    names->addWidget(m_swap);
    names->addWidget(m_b, 1);
    names->addWidget(m_mapping);
    names->addWidget(m_export);
    names->addWidget(m_start);
    auto* lower = new QHBoxLayout;
    lower->addWidget(m_summary, 1);
    lower->addWidget(m_progress);
    auto* layout = new QVBoxLayout(head);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->addLayout(names);
    layout->addLayout(lower);
    return head;
}

void ComparePage::makeMenu(QToolButton* button) {
    auto* menu = new QMenu(button);
    const auto add = [&](const QString& title, auto use) { connect(menu->addAction(title), &QAction::triggered, this, use); };
    m_pairAction = menu->addAction(tr("Pair with another tensor…"));
    m_ignoreAction = menu->addAction(tr("Ignore tensors"));
    connect(m_pairAction, &QAction::triggered, this, &ComparePage::askToPair);
    connect(m_ignoreAction, &QAction::triggered, this, &ComparePage::ignoreChosen);
    menu->addSeparator();
    add(tr("Load mapping…"), [this] {
        const QString path = askFrom(this, [](QWidget* window) {
            return QFileDialog::getOpenFileName(window, tr("Load mapping"), {}, tr("Mapping (*.json)"));
        });
        if (!path.isEmpty()) loadMapping(path);
    });
    add(tr("Save mapping…"), [this] {
        const QString path = askFrom(this, [](QWidget* window) {
            return QFileDialog::getSaveFileName(window, tr("Save mapping"), QStringLiteral("mapping.json"), tr("Mapping (*.json)"));
        });
        if (!path.isEmpty()) saveMapping(path);
    });
    add(tr("Reset mapping"), [this] { m_session.setMapping({}); });
    button->setMenu(menu);
}

QWidget* ComparePage::makeTensors() {
    auto* rows = new QSplitter(Qt::Vertical, m_views);
    rows->setChildrenCollapsible(false);
    auto* list = new QWidget(rows);
    m_words = new QLineEdit(list);
    m_words->setObjectName(QStringLiteral("compareFilter"));
    m_words->setPlaceholderText(tr("Filter by name"));
    m_words->setAccessibleName(tr("Filter tensors"));
    m_words->setClearButtonEnabled(true);
    m_states = new QComboBox(list);
    m_states->setObjectName(QStringLiteral("compareStates"));
    nameBox(m_states, tr("Tensors to show"));
    for (const QString& title : {tr("All tensors"), tr("Different"), tr("Equal"), tr("Only in A"), tr("Only in B")})
        m_states->addItem(title);
    m_table = new QTableView(list);
    m_table->setObjectName(QStringLiteral("comparison"));
    m_table->setAccessibleName(tr("Pairs of tensors"));
    m_table->setModel(m_filter);
    setUpTable(m_table, CellDelegate::rowHeight(m_table));
    m_table->setItemDelegate(new CellDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(ComparisonModel::RelativeError, Qt::DescendingOrder);
    m_table->setTextElideMode(Qt::ElideMiddle);
    for (int column = 0; column < ComparisonModel::columns; ++column) {
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        m_table->setColumnWidth(column, std::max(76, m_table->fontMetrics().horizontalAdvance(title) + 34));
    }
    m_table->setColumnWidth(ComparisonModel::A, 240);
    m_table->setColumnWidth(ComparisonModel::B, 240);
    m_table->setColumnWidth(ComparisonModel::Result, 110);
    m_table->setColumnWidth(ComparisonModel::Mapping, 120);
    addCopyAction(m_table);
    auto* line = new QHBoxLayout;
    line->addWidget(m_words, 1);
    line->addWidget(m_states);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(8, 6, 8, 0);
    column->addLayout(line);
    column->addWidget(m_table, 1);
    rows->addWidget(list);
    m_difference = new DifferenceView(m_session.services().jobs, rows);
    rows->addWidget(m_difference);
    rows->setSizes({330, 250});
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    return rows;
}

QWidget* ComparePage::makeTokenizer() {
    auto* page = new QWidget(m_views);
    m_tokenizerText = makePlainLabel(page);
    m_tokenizerText->setObjectName(QStringLiteral("tokenizerDifference"));
    m_tokens = new CellTableView(tr("Tokens that differ"), page);
    m_tokens->setObjectName(QStringLiteral("tokenDifferences"));
    auto* column = new QVBoxLayout(page);
    column->addWidget(m_tokenizerText);
    column->addWidget(m_tokens, 1);
    return page;
}

void ComparePage::connectAll() {
    m_table->addActions({m_pairAction, m_ignoreAction});
    showActionsOnRightClick(m_table);
    connect(&m_session, &CompareSession::changed, this, &ComparePage::refresh);
    connect(&m_session, &CompareSession::progressed, this, [this](quint64 done, quint64 total) {
        m_progress->setRange(0, total > 0 ? 1000 : 0);
        m_progress->setValue(total > 0 ? static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * 1000) : 0);
    });
    connect(m_choose, &ChooseOther::chosen, this, [this](const ComparedSide& side) {
        m_session.setB(side);
        m_session.start();
    });
    connect(m_swap, &QToolButton::clicked, this, [this] {
        m_session.swap();
        m_session.start();
    });
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_session.isRunning()) m_session.cancel();
        else m_session.start();
    });
    connect(m_export, &QPushButton::clicked, this, &ComparePage::askForExport);
    connect(m_staleBar, &MessageBar::actionChosen, this, [this] { m_session.start(); });
    connect(m_bar, &MessageBar::actionChosen, this, [this] { // offered where the mapping does not fit
        m_session.setMapping({});
        m_session.start();
    });
    connect(m_words, &QLineEdit::textChanged, m_filter, &ComparisonFilter::setWords);
    connect(m_states, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_filter->setShown(static_cast<ComparisonFilter::Shown>(index)); });
    leadDown(m_words, m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ComparePage::showChosen);
}

QString ComparePage::title() const {
    const QString b = m_session.b().title();
    return QStringLiteral("%1 ↔ %2").arg(m_session.a().title(), b.isEmpty() ? QStringLiteral("…") : b);
}

bool ComparePage::takeDrop(const QStringList& paths) {
    if (paths.size() == 2) {
        emit bothWanted(paths);
        return true;
    }
    if (paths.size() != 1 || !m_session.b().path.isEmpty()) return false;
    m_session.setB({paths.first(), nullptr});
    m_session.start();
    return true;
}

void ComparePage::showView(View view) { m_views->setCurrentIndex(static_cast<int>(view)); }

void ComparePage::chooseWorst() {
    if (m_filter->rowCount() > 0) m_table->selectRow(0);
}

void ComparePage::refresh() {
    const bool isComplete = !m_session.b().path.isEmpty(), isRunning = m_session.isRunning();
    m_a->setText(sideText(QStringLiteral("A"), m_session.a()));
    m_b->setText(sideText(QStringLiteral("B"), m_session.b()));
    m_a->setToolTip(plainText(m_session.a().path));
    m_b->setToolTip(plainText(m_session.b().path));
    m_swap->setEnabled(isComplete && !isRunning);
    m_start->setEnabled(isComplete);
    m_start->setText(isRunning ? tr("Cancel") : m_session.comparison() ? tr("Compare again") : tr("Compare"));
    m_export->setEnabled(m_session.comparison() != nullptr);
    m_mapping->setEnabled(isComplete);
    m_progress->setVisible(isRunning);
    if (isRunning) m_progress->setRange(0, 0);
    if (!isComplete) m_choose->refresh(m_session.a().path);
    m_stack->setCurrentWidget(isComplete ? static_cast<QWidget*>(m_views) : m_choose);
    if (m_session.failure() && !isRunning)
        m_bar->showMessage(*m_session.failure(), m_session.mapping().isEmpty() ? QString() : tr("Reset mapping"));
    else m_bar->hide();
    if (m_session.isStale() && !isRunning)
        m_staleBar->showMessage(tr("The mapping changed since this comparison."), tr("Compare again"));
    else m_staleBar->hide();
    if (m_session.comparison() != m_shown || !m_shown) showComparison();
    emit titleChanged();
}

void ComparePage::showComparison() {
    m_shown = m_session.comparison();
    m_model->setComparison(m_shown);
    m_difference->setPair(m_shown, {});
    if (!m_shown) {
        m_summary->setText(m_session.isRunning()          ? tr("Comparing…")
                           : m_session.b().path.isEmpty() ? QString()
                                                          : tr("Not compared yet"));
        m_metadata->setTable({});
        m_tokens->setTable({});
        m_template->setTable({});
        m_tokenizerText->clear();
        m_templateText->clear();
        return;
    }
    const quint64 equal = m_shown->equalCount();
    m_summary->setText(tr("%1 matched tensors: %2 equal, %3 different · %4 only in A · %5 only in B")
                           .arg(shownCount(m_shown->pairs.size()), shownCount(equal), shownCount(m_shown->pairs.size() - equal),
                                shownCount(m_shown->onlyA.size()), shownCount(m_shown->onlyB.size())));
    const TableContent metadata = metadataDifferenceTable(m_shown->metadata);
    m_views->setTabText(static_cast<int>(View::Metadata),
                        metadata.rows.empty() ? tr("Metadata") : tr("Metadata (%1)").arg(shownCount(metadata.rows.size())));
    m_metadata->setTable(metadata);
    if (const auto& tokenizer = m_shown->tokenizer) {
        m_tokenizerText->setText(tokenizer->isEmpty()
                                     ? tr("The tokenizers have the same tokens and merges.")
                                     : tr("%1 tokens added in B, %2 removed, %3 renumbered, %4 merges changed")
                                           .arg(shownCount(tokenizer->added), shownCount(tokenizer->removed),
                                                shownCount(tokenizer->renumbered), shownCount(tokenizer->mergesChanged)));
        m_tokens->setTable(tokenDifferenceTable(*tokenizer));
    } else {
        m_tokenizerText->setText(tr("At least one model has no known tokenizer."));
        m_tokens->setTable({});
    }
    m_templateText->setText(!m_shown->templateEqual   ? tr("Neither model has a chat template.")
                            : *m_shown->templateEqual ? tr("The chat templates are equal.")
                            : !m_shown->templateA     ? tr("Only B has a chat template.")
                            : !m_shown->templateB     ? tr("Only A has a chat template.")
                                                      : tr("The chat templates differ."));
    m_template->setTable(templateDifferenceTable(*m_shown));
    chooseWorst();
}

std::vector<int> ComparePage::chosenRows() const {
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) rows.push_back(m_filter->mapToSource(index).row());
    return rows;
}

void ComparePage::showChosen() {
    const QModelIndex current = m_filter->mapToSource(m_table->currentIndex());
    m_difference->setPair(m_shown, current.isValid() ? m_model->pair(current.row()) : std::nullopt);
}

// The counterpart of the chosen tensor, by its name.
void ComparePage::askToPair() {
    const QModelIndex current = m_filter->mapToSource(m_table->currentIndex());
    if (!m_shown || !current.isValid() || !m_session.a().model || !m_session.b().model) return;
    const std::string nameA = m_model->nameA(current.row()), nameB = m_model->nameB(current.row());
    const bool asksForB = !nameA.empty();
    QStringList names;
    for (const TensorInfo& tensor : (asksForB ? m_session.b() : m_session.a()).model->tensors) names << text(tensor.name);
    const QString question =
        asksForB ? tr("Tensor of B to compare %1 with:").arg(text(nameA)) : tr("Tensor of A to compare %1 with:").arg(text(nameB));
    const QString chosen = askFrom(this, [&](QWidget* window) {
        QInputDialog dialog(window);
        dialog.setWindowTitle(tr("Pair tensors"));
        dialog.setLabelText(question);
        dialog.setComboBoxItems(names);
        dialog.setComboBoxEditable(true);
        if (asksForB && !nameB.empty()) dialog.setTextValue(text(nameB));
        return dialog.exec() == QDialog::Accepted ? dialog.textValue() : QString();
    });
    if (chosen.isEmpty()) return;
    const auto paired = asksForB ? m_session.pairUp(nameA, chosen.toStdString()) : m_session.pairUp(chosen.toStdString(), nameB);
    if (!paired) m_bar->showMessage(paired.error());
}

void ComparePage::ignoreChosen() {
    std::vector<std::string> names;
    for (const int row : chosenRows()) {
        names.push_back(m_model->nameA(row));
        names.push_back(m_model->nameB(row));
    }
    if (!names.empty()) m_session.ignore(names);
}

void ComparePage::askForExport() {
    const QString path = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getSaveFileName(window, tr("Export comparison"), m_session.a().title() + QStringLiteral(".diff.json"),
                                            tr("JSON (*.json)") + QStringLiteral(";;") + tr("Table (*.csv)"));
    });
    if (!path.isEmpty()) exportTo(path);
}

void ComparePage::exportTo(const QString& path) {
    if (!m_shown) return;
    const bool isTable = path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
    write(
        path, [comparison = m_shown, isTable] { return isTable ? diff::csvText(*comparison) : reportJson(*comparison); },
        tr("Comparison saved to %1.").arg(shortPath(path)));
}

// All pairs where there is a comparison, so that `wb diff --map` makes the same one.
void ComparePage::saveMapping(const QString& path) {
    write(
        path,
        [comparison = m_shown, map = m_session.mapping(), isStale = m_session.isStale()] {
            return comparison && !isStale ? diff::mapFileText(*comparison, map.ignored) : diff::mapFileText(map);
        },
        tr("Mapping saved to %1.").arg(shortPath(path)));
}

void ComparePage::write(const QString& path, std::function<std::string()> content, const QString& done) {
    const Services& services = m_session.services();
    const auto work = [path, content = std::move(content), guard = services.openModels->guard()](const Progress&) -> Result<void> {
        WB_TRY(guard.check(fsPath(path)));
        const std::string name = QFileInfo(path).fileName().toStdString();
        QSaveFile file(path);
        const QByteArray bytes = QByteArray::fromStdString(content());
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
            return fail(ErrorCode::NotWritable, Reason("compare.not_writable"), About{name},
                        WB_TEXT("Cannot write {} ({}); choose another folder or free disk space."), name,
                        file.errorString().toStdString());
        return {};
    };
    services.jobs->start(
        tr("Saving %1").arg(QFileInfo(path).fileName()), this, work,
        [this, done](const Result<void>& result) {
            if (result) emit message(done, false);
            else m_bar->showMessage(result.error());
        },
        false);
}

void ComparePage::loadMapping(const QString& path) {
    startJob<diff::MapFile>(
        *m_session.services().jobs, tr("Loading %1").arg(QFileInfo(path).fileName()), this,
        [path = fsPath(path)](const Progress&) { return diff::readMapFile(path); },
        [this](Result<diff::MapFile> map) {
            if (!map) return m_bar->showMessage(map.error());
            m_session.setMapping(*std::move(map));
        },
        false);
}

QJsonObject ComparePage::save() const {
    return {{QStringLiteral("compareA"), m_session.a().path}, {QStringLiteral("compareB"), m_session.b().path}};
}

} // namespace wb::ui::inspect
