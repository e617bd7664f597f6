// SPDX-License-Identifier: MIT
#include "ui/inspect/integrity/integrity_panel.h"

#include "ui/inspect/document/document.h"
#include "ui/inspect/document/problem_text.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/translated.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

constexpr std::size_t maxRows = 500; // of a table, which is made for hundreds

using verify::Verdict;

// The context is spelled out: lupdate does not find the class in the first function that needs it.
QString verdictText(Verdict verdict) {
    if (verdict == Verdict::Intact) return QCoreApplication::translate("wb::ui::inspect::IntegrityPanel", "Intact");
    return verdict == Verdict::Suspicious ? QCoreApplication::translate("wb::ui::inspect::IntegrityPanel", "Suspicious")
                                          : QCoreApplication::translate("wb::ui::inspect::IntegrityPanel", "Damaged");
}

QString verdictSentence(Verdict verdict) {
    if (verdict == Verdict::Intact) return IntegrityPanel::tr("All checks passed.");
    if (verdict == Verdict::Suspicious) return IntegrityPanel::tr("Loaders accept the model, but its files are unusual.");
    return IntegrityPanel::tr("A loader refuses the model or reads wrong values; get an undamaged copy of the files.");
}

Cell cellFromShown(const QString& shown) {
    Cell cell;
    cell.shown = shown;
    cell.toolTip = shown;
    return cell;
}

Severity checkSeverity(const verify::Check& check) { return check.isPassed ? Severity::Note : check.problem.severity; }

// What failed first, the gravest first.
TableContent checkTable(const verify::Report& report) {
    std::vector<const verify::Check*> checks;
    for (const verify::Check& check : report.checks) checks.push_back(&check);
    std::ranges::stable_sort(checks, std::greater(), [](const verify::Check* check) {
        return std::pair(!check->isPassed, static_cast<int>(checkSeverity(*check)));
    });
    TableContent table{{IntegrityPanel::tr("Check"), IntegrityPanel::tr("Result"), IntegrityPanel::tr("Location")}, {}};
    for (const verify::Check* check : checks) {
        if (table.rows.size() == maxRows) break;
        Cell sentence = cellFromShown(problemText(check->problem));
        if (!check->isPassed) sentence.severity = check->problem.severity;
        const QString result = check->isPassed                              ? IntegrityPanel::tr("passed")
                               : check->problem.severity == Severity::Error ? IntegrityPanel::tr("damaged")
                                                                            : IntegrityPanel::tr("suspicious");
        table.rows.push_back({std::move(sentence), cellFromShown(result), cellFromShown(problemPlace(check->problem))});
    }
    return table;
}

QString hashText(const verify::CheckedFile& file) {
    if (!file.sha256.empty()) return QString::fromStdString(file.sha256);
    return file.expected.empty() ? QString() : IntegrityPanel::tr("not computed");
}

QString resultText(const verify::CheckedFile& file) {
    if (!file.isGood) return {};
    if (*file.isGood) return IntegrityPanel::tr("OK");
    return file.source == verify::HashSource::LfsPointer ? IntegrityPanel::tr("pointer, not the file")
                                                         : IntegrityPanel::tr("Mismatch");
}

TableContent fileTable(const verify::Report& report) {
    TableContent table{
        {IntegrityPanel::tr("File"), IntegrityPanel::tr("Size"), IntegrityPanel::tr("Recorded hash"), QStringLiteral("SHA-256")},
        {}};
    for (const verify::CheckedFile& file : report.files) {
        if (table.rows.size() == maxRows) break;
        Cell name = cellFromShown(text(file.name));
        if (file.isGood == false) name.severity = Severity::Error;
        Cell bytes = cellFromShown(fileSizeText(file.bytes));
        bytes.number = true;
        table.rows.push_back({std::move(name), std::move(bytes), cellFromShown(resultText(file)), cellFromShown(hashText(file))});
    }
    return table;
}

} // namespace

IntegrityPanel::IntegrityPanel(Document& document, JobRunner* jobs, QWidget* parent)
    : QWidget(parent), m_document(document), m_path(QFileInfo::exists(document.path()) ? document.path() : QString()), m_job(jobs) {
    auto* rows = new QSplitter(Qt::Vertical, this);
    m_checks = new CellTableView(tr("Checks"), rows);
    m_checks->setObjectName(QStringLiteral("integrityChecks"));
    m_files = new CellTableView(tr("Files"), rows);
    m_files->setObjectName(QStringLiteral("integrityFiles"));
    rows->addWidget(m_checks);
    rows->addWidget(m_files);
    rows->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(makeHead());
    layout->addWidget(rows, 1);
    if (const auto& report = m_document.integrity()) showReport(*report);
    showState();
}

QWidget* IntegrityPanel::makeHead() {
    auto* head = new QWidget(this);
    m_verdict = makeHeading(head);
    m_verdict->setObjectName(QStringLiteral("integrityVerdict"));
    m_sentence = makeMutedLabel(head);
    m_sentence->setObjectName(QStringLiteral("integritySentence"));
    m_sentence->setText(m_path.isEmpty() ? tr("Download the model to verify it.")
                                         : tr("Checks structure, checksums and recorded hashes. Large files take time to read."));
    m_deep = new QCheckBox(tr("Read all values"), head);
    m_deep->setObjectName(QStringLiteral("integrityDeep"));
    m_deep->setToolTip(tr("Reads every weight and looks for NaN and infinite values"));
    m_hashes = new QCheckBox(tr("Hash all files"), head);
    m_hashes->setObjectName(QStringLiteral("integrityHashes"));
    m_hashes->setToolTip(tr("Computes the SHA-256 of every file, also where no hash is recorded"));
    m_start = new QPushButton(head);
    m_start->setObjectName(QStringLiteral("integrityStart"));
    connect(m_start, &QPushButton::clicked, this, &IntegrityPanel::start);
    auto* line = new QHBoxLayout;
    line->addWidget(m_verdict);
    line->addStretch(1);
    line->addWidget(m_deep);
    line->addWidget(m_hashes);
    line->addWidget(m_start);
    auto* layout = new QVBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(line);
    layout->addWidget(m_sentence);
    return head;
}

void IntegrityPanel::start() {
    if (m_job.isRunning()) {
        m_job.cancel();
        return showState();
    }
    verify::Options options;
    options.isDeep = m_deep->isChecked();
    options.hashesAll = m_hashes->isChecked();
    const auto work = [path = fsPath(m_path), options](const Progress& progress) {
        verify::Options wanted = options;
        wanted.progress = progress;
        return verify::verify(path, wanted);
    };
    const auto title = [name = QFileInfo(m_path).fileName()] { return tr("Verifying %1").arg(name); };
    m_job.start<verify::Report>(
        title, work,
        [this](const verify::Report& report) {
            m_document.setIntegrity(std::make_shared<const verify::Report>(report));
            showReport(report);
        },
        [this](const Error& error) {
            m_verdict->setText(tr("Not verified"));
            m_sentence->setText(translated(error));
            showState();
        },
        true, [this] { showState(); });
    showState();
}

void IntegrityPanel::showReport(const verify::Report& report) {
    m_verdict->setText(verdictText(report.verdict()));
    m_sentence->setText(verdictSentence(report.verdict()));
    if (report.values)
        m_sentence->setText(m_sentence->text() + QLatin1Char(' ') +
                            tr("Weight tensors read: %1; with NaN: %2; with infinite values: %3.")
                                .arg(shownCount(report.values->checked), shownCount(report.values->withNan),
                                     shownCount(report.values->withInfinity)));
    m_checks->setTable(checkTable(report));
    m_files->setTable(fileTable(report));
    showState();
}

void IntegrityPanel::showState() {
    const bool isRunning = m_job.isRunning();
    m_start->setText(isRunning ? tr("Cancel") : tr("Verify"));
    m_start->setEnabled(!m_path.isEmpty());
    m_deep->setEnabled(!isRunning && !m_path.isEmpty());
    m_hashes->setEnabled(!isRunning && !m_path.isEmpty());
    const QString nothing = isRunning ? tr("Verifying…") : tr("Not verified yet");
    m_checks->setEmptyText(nothing);
    m_files->setEmptyText(QString());
}

} // namespace wb::ui::inspect
