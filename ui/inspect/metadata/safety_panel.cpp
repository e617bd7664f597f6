// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/safety_panel.h"

#include "core/base/text.h"
#include "core/worker/worker.h"
#include "ui/inspect/metadata/disassembly_view.h"
#include "ui/inspect/metadata/problems_panel.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/translated.h"

#include <QListView>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace wb::ui::inspect {
namespace {

constexpr std::size_t mostRows = 500; // of the table, which is made for hundreds

std::uint64_t opcodesOf(const Danger& danger) {
    std::uint64_t opcodes = 0;
    for (const ScannedFile& file : danger.files) opcodes += file.opcodes;
    return opcodes;
}

Severity severityOf(DangerLevel level) {
    if (level == DangerLevel::D) return Severity::Error;
    return level == DangerLevel::C ? Severity::Warning : Severity::Note;
}

QString howText(const DangerousCall& call) {
    const std::string_view how = call.how;
    const QString done = how == "import"    ? SafetyPanel::tr("imported")
                         : how == "build"   ? SafetyPanel::tr("given a state")
                         : how == "setitem" ? SafetyPanel::tr("changed")
                                            : SafetyPanel::tr("called");
    return call.isBeyondStop ? SafetyPanel::tr("%1, after a loader has failed").arg(done) : done;
}

Cell cellOf(const QString& shown, const QString& toolTip = {}) {
    Cell cell;
    cell.shown = shown;
    cell.toolTip = toolTip;
    return cell;
}

// One row a call or reference of level C and D, in the order of the file, worst first.
TableContent callTable(const Danger& danger) {
    std::vector<const DangerousCall*> calls;
    for (const DangerousCall& call : danger.calls)
        if (call.level > DangerLevel::B) calls.push_back(&call);
    std::ranges::stable_sort(calls, [](const auto* a, const auto* b) { return a->level > b->level; });
    TableContent table{{SafetyPanel::tr("Name"), SafetyPanel::tr("How"), SafetyPanel::tr("Byte")}, {}};
    for (const DangerousCall* call : calls) {
        if (table.rows.size() == mostRows) break;
        const ScannedFile& file = danger.files[call->file];
        const QString where = text(file.member.empty() ? file.path : file.path + ": " + file.member);
        Cell name = cellOf(text(escapeControls(call->module + "." + call->name + call->arguments)), where);
        name.severity = severityOf(call->level);
        Cell position = cellOf(shownCount(call->position), where);
        position.number = true;
        table.rows.push_back({std::move(name), cellOf(howText(*call)), std::move(position)});
    }
    return table;
}

// What the rules beside those for calls found; each sentence names its file and member.
void addFindings(QVBoxLayout* layout, QWidget* parent, const Danger& danger) {
    std::vector<Problem> problems;
    for (const DangerFinding& finding : danger.findings)
        if (problems.size() < mostRows) problems.push_back(finding.problem);
    if (problems.empty()) return;
    sortProblems(problems);
    QLabel* title = makeHeading(parent);
    title->setText(SafetyPanel::tr("What else was found"));
    layout->addWidget(title);
    auto* panel = new ProblemsPanel(problems, parent);
    panel->findChild<QListView*>()->setObjectName(QStringLiteral("safetyFindings"));
    layout->addWidget(panel, 1);
}

// The known classes and functions, each once.
TableContent nameTable(const Danger& danger) {
    std::map<std::string, DangerLevel> names;
    for (const ScannedFile& file : danger.files)
        for (const DangerousName& name : file.globals)
            if (name.level <= DangerLevel::B) names.emplace(name.module + "." + name.name, name.level);
    TableContent table{{SafetyPanel::tr("Name"), SafetyPanel::tr("What it builds")}, {}};
    for (const auto& [name, level] : names) {
        if (table.rows.size() == mostRows) break;
        table.rows.push_back(
            {cellOf(text(escapeControls(name))),
             cellOf(level == DangerLevel::A ? SafetyPanel::tr("tensors and plain data") : SafetyPanel::tr("known objects"))});
    }
    return table;
}

void addTable(QVBoxLayout* layout, QWidget* parent, const QString& heading, TableContent content, const char* name) {
    if (content.rows.empty()) return;
    QLabel* title = makeHeading(parent);
    title->setText(heading);
    layout->addWidget(title);
    auto* table = new CellTableView(heading, parent);
    table->setObjectName(QLatin1String(name));
    table->setTextElideMode(Qt::ElideMiddle); // names that are too long differ at their ends
    table->setTable(std::move(content));
    layout->addWidget(table, 1);
}

} // namespace

QString verdictText(const Danger& danger) {
    const std::string_view kind = kindName(danger);
    if (kind == "tensors only") return SafetyPanel::tr("Tensors only");
    if (kind == "known libraries") return SafetyPanel::tr("Known libraries");
    if (kind == "unknown code") return SafetyPanel::tr("Unknown code");
    return kind == "dangerous code" ? SafetyPanel::tr("Dangerous code") : SafetyPanel::tr("Not to be judged");
}

QString verdictSentence(const Danger& danger) {
    const std::string_view kind = kindName(danger);
    if (kind == "tensors only" && opcodesOf(danger) == 0)
        return SafetyPanel::tr("This file holds no pickle; loading it elsewhere only builds tensors and plain data.");
    if (kind == "tensors only")
        return SafetyPanel::tr("Loading this file elsewhere can only build tensors and plain data, proved over %1 opcodes.")
            .arg(shownCount(opcodesOf(danger)));
    if (kind == "known libraries")
        return SafetyPanel::tr(
            "Loading this file builds objects of known classes, which run no code of the file when they are loaded.");
    if (kind == "unknown code")
        return SafetyPanel::tr(
            "Loading this file elsewhere runs code that is not known. Weighbridge reads its tensors without running it.");
    if (kind == "dangerous code")
        return SafetyPanel::tr(
            "Loading this file elsewhere would run dangerous code. Weighbridge reads its tensors without running it.");
    return SafetyPanel::tr(
        "This file is damaged or cannot be followed to its end, so nothing is proved about what loading it would run.");
}

SafetyPanel::SafetyPanel(const std::shared_ptr<const Danger>& danger, const QString& path, JobRunner* jobs, QWidget* parent)
    : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 8);
    layout->setSpacing(6);
    QLabel* title = makeHeading(this);
    title->setText(verdictText(*danger));
    layout->addWidget(title);
    QLabel* sentence = makeMutedLabel(this);
    sentence->setObjectName(QStringLiteral("safetySentence"));
    sentence->setText(verdictSentence(*danger));
    layout->addWidget(sentence);
    addTable(layout, this, tr("What it would run"), callTable(*danger), "safetyCalls");
    addFindings(layout, this, *danger);
    addTable(layout, this, tr("Known names"), nameTable(*danger), "safetyNames");
    if (opcodesOf(*danger) > 0 && !path.isEmpty() && jobs) layout->addWidget(new DisassemblyView(path, jobs, this), 1);
    if (const char* weaker = worker::weakerGuarantee(); *weaker != '\0') {
        QLabel* note = makeMutedLabel(this);
        note->setText(translated(Error{ErrorCode::Unsupported, weaker, {}, {}, {}, {}, {}}));
        layout->addWidget(note);
    }
    layout->addStretch(0);
}

} // namespace wb::ui::inspect
