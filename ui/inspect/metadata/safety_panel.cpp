// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/safety_panel.h"

#include "core/base/text.h"
#include "core/model/output_check.h"
#include "core/scan/sarif.h"
#include "core/worker/worker.h"
#include "ui/inspect/metadata/disassembly_view.h"
#include "ui/inspect/metadata/problem_delegate.h"
#include "ui/inspect/metadata/problems_panel.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/shell/services.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/translated.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace wb::ui::inspect {
namespace {

constexpr std::size_t maxRows = 500; // of the table, which is made for hundreds

std::uint64_t dangerOpcodes(const Danger& danger) {
    std::uint64_t opcodes = 0;
    for (const ScannedFile& file : danger.files) opcodes += file.opcodes;
    return opcodes;
}

Severity levelSeverity(DangerLevel level) {
    if (level == DangerLevel::D) return Severity::Error;
    return level == DangerLevel::C ? Severity::Warning : Severity::Note;
}

QString howText(const DangerousCall& call) {
    const std::string_view how = call.how;
    const QString done = how == "import"    ? SafetyPanel::tr("imported")
                         : how == "build"   ? SafetyPanel::tr("state restored")
                         : how == "setitem" ? SafetyPanel::tr("modified")
                                            : SafetyPanel::tr("called");
    return call.isBeyondStop ? SafetyPanel::tr("%1 (after the loader failed)").arg(done) : done;
}

// Whether something of it is named; else only the other contents of the file are unknown.
bool isAccused(const Danger& danger) {
    return std::ranges::any_of(danger.calls, [](const DangerousCall& call) { return call.level > DangerLevel::B; }) ||
           std::ranges::any_of(danger.findings,
                               [](const DangerFinding& finding) { return finding.problem.severity != Severity::Note; });
}

QString verdictWord(Verdict verdict) {
    switch (verdict) {
    case Verdict::Clean: return SafetyPanel::tr("clean");
    case Verdict::NotChecked: return SafetyPanel::tr("not checked");
    case Verdict::Suspicious: return SafetyPanel::tr("suspicious");
    default: return SafetyPanel::tr("dangerous");
    }
}

Cell cellFromShown(const QString& shown, const QString& toolTip = {}) {
    Cell cell;
    cell.shown = shown;
    cell.toolTip = toolTip;
    return cell;
}

// One row a call or reference of level C and D, worst first, in the order of the file.
TableContent callTable(const Danger& danger) {
    std::vector<const DangerousCall*> calls;
    for (const DangerousCall& call : danger.calls)
        if (call.level > DangerLevel::B) calls.push_back(&call);
    const auto rank = [](const DangerousCall* call) {
        return std::pair(-static_cast<int>(call->level), std::string_view(call->how) == "import");
    };
    std::ranges::stable_sort(calls, {}, rank); // what runs before what is only named
    TableContent table{{SafetyPanel::tr("Name"), SafetyPanel::tr("Arguments"), SafetyPanel::tr("Usage"), SafetyPanel::tr("Byte")},
                       {}};
    for (const DangerousCall* call : calls) {
        if (table.rows.size() == maxRows) break;
        const ScannedFile& file = danger.files[call->file];
        const QString where = text(file.member.empty() ? file.path : file.path + ": " + file.member);
        const QString called = text(escapeControls(call->module + "." + call->name));
        const QString arguments = text(escapeControls(call->arguments));
        Cell name = cellFromShown(called, called + arguments + QLatin1Char('\n') + where);
        name.severity = levelSeverity(call->level);
        Cell position = cellFromShown(shownCount(call->position), where);
        position.number = true;
        table.rows.push_back(
            {std::move(name), cellFromShown(arguments, arguments), cellFromShown(howText(*call)), std::move(position)});
    }
    return table;
}

// One row a file of a folder, the worst first.
TableContent fileTable(const Danger& danger) {
    TableContent table{{SafetyPanel::tr("File"), SafetyPanel::tr("Result"), SafetyPanel::tr("Format")}, {}};
    if (!danger.isFolder) return table;
    std::vector<const ScannedFile*> files;
    for (const ScannedFile& file : danger.files) files.push_back(&file);
    std::ranges::stable_sort(files, std::ranges::greater(), [](const ScannedFile* file) { return file->verdict(); });
    for (const ScannedFile* file : files) {
        if (table.rows.size() == maxRows) break;
        const QString where = text(escapeControls(file->member.empty() ? file->path : file->path + ": " + file->member));
        Cell name = cellFromShown(where, where);
        name.severity = file->verdict() == Verdict::Dangerous    ? Severity::Error
                        : file->verdict() == Verdict::Suspicious ? Severity::Warning
                                                                 : Severity::Note;
        table.rows.push_back({std::move(name), cellFromShown(verdictWord(file->verdict())), cellFromShown(text(file->format))});
    }
    return table;
}

constexpr int findingsHeight = 360; // at most; more are scrolled to

// Findings of the rules other than those for calls; each sentence names its file and member.
void addFindings(QVBoxLayout* layout, QWidget* parent, const Danger& danger) {
    std::vector<Problem> problems;
    for (const DangerFinding& finding : danger.findings)
        if (problems.size() < maxRows) problems.push_back(finding.problem);
    if (problems.empty()) return;
    sortProblems(problems);
    QLabel* title = makeHeading(parent);
    title->setText(SafetyPanel::tr("Other findings"));
    layout->addWidget(title);
    auto* panel = new ProblemsPanel(problems, parent);
    panel->findChild<QListView*>()->setObjectName(QStringLiteral("safetyFindings"));
    panel->fitRows(findingsHeight);
    layout->addWidget(panel);
}

// The known classes and functions, each once.
TableContent nameTable(const Danger& danger) {
    std::map<std::string, DangerLevel> names;
    for (const ScannedFile& file : danger.files)
        for (const DangerousName& name : file.globals)
            if (name.level <= DangerLevel::B) names.emplace(name.module + "." + name.name, name.level);
    TableContent table{{SafetyPanel::tr("Name"), SafetyPanel::tr("Result")}, {}};
    for (const auto& [name, level] : names) {
        if (table.rows.size() == maxRows) break;
        table.rows.push_back({cellFromShown(text(escapeControls(name))),
                              cellFromShown(level == DangerLevel::A ? SafetyPanel::tr("tensors and plain data")
                                                                    : SafetyPanel::tr("known objects"))});
    }
    return table;
}

CellTableView* addTable(QVBoxLayout* layout, QWidget* parent, const QString& heading, TableContent content, const char* name) {
    if (content.rows.empty()) return nullptr;
    QLabel* title = makeHeading(parent);
    title->setText(heading);
    layout->addWidget(title);
    auto* table = new CellTableView(heading, parent);
    table->setObjectName(QLatin1String(name));
    table->setTextElideMode(Qt::ElideMiddle); // names that are too long differ at their ends
    const auto rows = static_cast<int>(std::min<std::size_t>(content.rows.size(), 6)); // more are scrolled to
    table->setTable(std::move(content));
    table->setFixedHeight(rowsHeight(*table, rows));
    layout->addWidget(table);
    return table;
}

// The whole call of the current row: its argument, which matters most, does not fit a narrow table.
void addCallDetail(QVBoxLayout* layout, QWidget* parent, CellTableView* table) {
    QLabel* const detail = new QLabel(parent);
    detail->setObjectName(QStringLiteral("safetyCall"));
    detail->setTextFormat(Qt::PlainText);
    detail->setWordWrap(true);
    layout->addWidget(detail);
    const auto show = [table, detail](const QModelIndex& current) {
        const QModelIndex row = current.isValid() ? current : table->model()->index(0, 0);
        detail->setText(breakable(row.siblingAtColumn(0).data(Qt::ToolTipRole).toString()));
    };
    QObject::connect(table->selectionModel(), &QItemSelectionModel::currentChanged, detail, show);
    show({});
}

} // namespace

QString verdictText(const Danger& danger) {
    const DangerKind kind = danger.kind();
    if (kind == DangerKind::TensorsOnly) return SafetyPanel::tr("Tensors only");
    if (kind == DangerKind::KnownLibraries) return SafetyPanel::tr("Known libraries");
    if (kind == DangerKind::UnknownCode) return SafetyPanel::tr("Unknown code");
    if (kind == DangerKind::NotChecked) return SafetyPanel::tr("Not checked");
    return kind == DangerKind::DangerousCode ? SafetyPanel::tr("Dangerous code") : SafetyPanel::tr("Cannot be verified");
}

QString verdictSentence(const Danger& danger) {
    const DangerKind kind = danger.kind();
    if (kind == DangerKind::NotChecked)
        return SafetyPanel::tr("Weighbridge does not read this format, so the code that loading the file would run is unknown.");
    if (kind == DangerKind::TensorsOnly && dangerOpcodes(danger) == 0)
        return SafetyPanel::tr("This file contains no pickle; loading it elsewhere only builds tensors and plain data.");
    if (kind == DangerKind::TensorsOnly)
        return SafetyPanel::tr("Loading this file elsewhere only builds tensors and plain data (verified over %1 opcodes).")
            .arg(shownCount(dangerOpcodes(danger)));
    if (kind == DangerKind::KnownLibraries)
        return SafetyPanel::tr("Loading this file builds objects of known classes, which do not run code from the file.");
    if (kind == DangerKind::UnknownCode && !isAccused(danger))
        return SafetyPanel::tr("This file is corrupted or cannot be fully analyzed, so it is unknown what loading it would run.");
    if (kind == DangerKind::UnknownCode)
        return SafetyPanel::tr("Loading this file elsewhere runs unknown code. Weighbridge reads its tensors without running it.");
    if (kind == DangerKind::DangerousCode)
        return SafetyPanel::tr(
            "Loading this file elsewhere runs dangerous code. Weighbridge reads its tensors without running it.");
    return SafetyPanel::tr("This file is corrupted or cannot be fully analyzed, so it is unknown what loading it would run.");
}

Result<void> SafetyPanel::saveSarif(const Danger& danger, const QString& path, const Services& services) {
    WB_TRY(services.openModels->guard().check(fsPath(path)));
    const std::string sarif = scan::dangerSarif(danger, QCoreApplication::applicationVersion().toStdString());
    QSaveFile file(path);
    const bool isSaved =
        file.open(QIODevice::WriteOnly) && file.write(sarif.data(), static_cast<qint64>(sarif.size())) >= 0 && file.commit();
    if (isSaved) return {};
    return fail(ErrorCode::NotWritable, Reason("inspect.sarif"), About{path.toStdString()},
                WB_TEXT("Could not save the findings to {}: {}."), path.toStdString(), file.errorString().toStdString());
}

void SafetyPanel::askForSarif(const Danger& danger, const Services& services) {
    const QString path = askFrom(this, [](QWidget* window) {
        return QFileDialog::getSaveFileName(window, tr("Export findings"), QStringLiteral("findings.sarif"), tr("SARIF (*.sarif)"));
    });
    if (path.isEmpty()) return; // or the panel is gone
    const auto saved = saveSarif(danger, path, services);
    if (saved) return;
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Export findings"), translated(saved.error()), QMessageBox::Ok, window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->open();
}

SafetyPanel::SafetyPanel(const std::shared_ptr<const Danger>& danger, const QString& path, const Services& services,
                         QWidget* parent)
    : QWidget(parent) {
    auto* content = new QWidget(this);
    auto* scroll = new QScrollArea(this); // a small window shows part of it
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // what it holds is what Tab stops at
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(12, 12, 12, 8);
    layout->setSpacing(6);
    QLabel* title = makeHeading(content);
    title->setText(verdictText(*danger));
    layout->addWidget(title);
    QLabel* sentence = makeMutedLabel(content);
    sentence->setObjectName(QStringLiteral("safetySentence"));
    sentence->setText(verdictSentence(*danger));
    layout->addWidget(sentence);
    if (const TableContent calls = callTable(*danger); !calls.rows.empty()) {
        CellTableView* const table = addTable(layout, content, tr("Code that would run"), calls, "safetyCalls");
        addCallDetail(layout, content, table);
        QLabel* legend = makeMutedLabel(content);
        legend->setObjectName(QStringLiteral("safetyLegend"));
        legend->setText(tr("Red square: known to be dangerous; yellow square: not known."));
        layout->addWidget(legend);
    }
    addFindings(layout, content, *danger);
    addTable(layout, content, tr("Known names"), nameTable(*danger), "safetyNames");
    addTable(layout, content, tr("Files"), fileTable(*danger), "safetyFiles");
    if (!danger->files.empty() && services.openModels) {
        auto* sarif = new QPushButton(icon(QStringLiteral("export")), tr("Export findings (SARIF)…"), content);
        sarif->setObjectName(QStringLiteral("exportSarif"));
        connect(sarif, &QPushButton::clicked, this, [this, danger, &services] { askForSarif(*danger, services); });
        layout->addWidget(sarif, 0, Qt::AlignLeft);
    }
    if (dangerOpcodes(*danger) > 0 && !path.isEmpty() && services.jobs)
        layout->addWidget(new DisassemblyView(path, services.jobs, content), 1);
    if (const char* weaker = worker::weakerGuarantee(); *weaker != '\0') {
        QLabel* note = makeMutedLabel(content);
        note->setText(translated(Error{ErrorCode::Unsupported, weaker, {}, {}, {}, {}, {}}));
        layout->addWidget(note);
    }
    layout->addStretch(1);
}

} // namespace wb::ui::inspect
