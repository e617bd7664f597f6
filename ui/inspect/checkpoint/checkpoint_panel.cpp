// SPDX-License-Identifier: MIT
#include "ui/inspect/checkpoint/checkpoint_panel.h"

#include "core/base/text.h"
#include "ui/inspect/checkpoint/series_panel.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tabs.h"

#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

namespace wb::ui::inspect {
namespace {

Cell textCell(const QString& shown) {
    Cell cell;
    cell.shown = shown;
    return cell;
}

Cell numberCell(const QString& shown) {
    Cell cell = textCell(shown);
    cell.number = true;
    return cell;
}

QString fileText(const std::string& name) { return text(escapeControls(name)); }

QString filesText(const std::vector<std::string>& files) {
    if (files.empty()) return {};
    return files.size() == 1 ? fileText(files.front()) : CheckpointPanel::tr("%n file(s)", nullptr, static_cast<int>(files.size()));
}

QString allFiles(const std::vector<std::string>& files) {
    constexpr std::size_t shown = 20;
    QStringList lines;
    for (const std::string& file : files)
        if (lines.size() < static_cast<qsizetype>(shown)) lines << fileText(file).toHtmlEscaped();
    if (files.size() > shown) lines << QStringLiteral("…");
    return QStringLiteral("<qt>") + lines.join(QStringLiteral("<br>")) + QStringLiteral("</qt>");
}

// One table of facts; empty ones are omitted.
class Facts {
public:
    void add(const QString& what, const QString& value) {
        if (!value.isEmpty()) m_table.rows.push_back({textCell(what), textCell(value)});
    }
    void add(const QString& what, const std::optional<std::string>& value) { add(what, value ? fileText(*value) : QString()); }
    void add(const QString& what, const std::optional<std::uint64_t>& value) { add(what, value ? shownCount(*value) : QString()); }
    void add(const QString& what, const std::optional<double>& value) { add(what, value ? shownNumber(*value) : QString()); }

    // Members of stored objects under their own names.
    void addMembers(const QString& what, const ValueObject* object) {
        constexpr std::size_t maxBytes = 200;
        if (object == nullptr) return;
        for (const Member& member : object->members)
            add(QStringLiteral("%1: %2").arg(what, fileText(member.key)), text(summary(member.value, maxBytes)));
    }

    TableContent take() { return std::move(m_table); }

private:
    TableContent m_table{{CheckpointPanel::tr("Property"), CheckpointPanel::tr("Value")}, {}};
};

QString worldText(const TrainingWorld& world) {
    QStringList parts;
    if (world.data) parts << CheckpointPanel::tr("data parallel %1").arg(*world.data);
    if (world.tensor) parts << CheckpointPanel::tr("tensor parallel %1").arg(*world.tensor);
    if (world.pipeline) parts << CheckpointPanel::tr("pipeline parallel %1").arg(*world.pipeline);
    if (world.expert) parts << CheckpointPanel::tr("expert parallel %1").arg(*world.expert);
    return parts.join(QStringLiteral(", "));
}

TableContent factTable(const Checkpoint& checkpoint) {
    Facts facts;
    const std::string version = checkpoint.frameworkVersion ? " " + *checkpoint.frameworkVersion : "";
    facts.add(CheckpointPanel::tr("Written by"), fileText(checkpoint.framework + version));
    facts.add(CheckpointPanel::tr("Resumable"), checkpoint.isResumable ? CheckpointPanel::tr("Yes") : CheckpointPanel::tr("No"));
    facts.add(CheckpointPanel::tr("Step"), checkpoint.step);
    facts.add(CheckpointPanel::tr("Epoch"), checkpoint.epoch);
    facts.add(CheckpointPanel::tr("Loss"), checkpoint.loss);
    facts.add(CheckpointPanel::tr("Optimizer"), checkpoint.optimizerName);
    facts.add(CheckpointPanel::tr("Learning rate"), checkpoint.learningRate);
    facts.add(CheckpointPanel::tr("Precision"), checkpoint.precision);
    facts.add(CheckpointPanel::tr("ZeRO stage"), checkpoint.zeroStage);
    facts.add(CheckpointPanel::tr("Ranks"), worldText(checkpoint.world));
    QStringList generators;
    for (const std::string& generator : checkpoint.rng) generators << fileText(generator);
    facts.add(CheckpointPanel::tr("Random states"), generators.join(QStringLiteral(", ")));
    const ValueArray* groups = checkpoint.optimizerGroups.array();
    for (std::size_t i = 0; groups != nullptr && i < groups->first.size(); ++i)
        facts.addMembers(CheckpointPanel::tr("Group %1").arg(i), groups->first[i].object());
    facts.addMembers(CheckpointPanel::tr("Scheduler"), checkpoint.scheduler.object());
    facts.addMembers(CheckpointPanel::tr("Other values"), &checkpoint.objects);
    return facts.take();
}

TableContent partTable(const Checkpoint& checkpoint) {
    TableContent table{{CheckpointPanel::tr("Part"), CheckpointPanel::tr("Tensors"), CheckpointPanel::tr("Elements"),
                        CheckpointPanel::tr("Size"), CheckpointPanel::tr("Files")},
                       {}};
    for (const PartSummary& part : checkpoint.parts) {
        Cell files = textCell(filesText(part.files));
        files.toolTip = allFiles(part.files);
        Cell size = numberCell(part.bytes != 0 ? fileSizeText(part.bytes) : QString());
        size.exact = QString::number(part.bytes);
        table.rows.push_back({textCell(checkpointPartTitle(part.part)),
                              numberCell(part.tensors != 0 ? shownCount(part.tensors) : QString()),
                              numberCell(part.tensors != 0 ? shownCount(part.parameters) : QString()), size, files});
    }
    return table;
}

TableContent missingTable(const Checkpoint& checkpoint) {
    TableContent table{{CheckpointPanel::tr("Missing part"), CheckpointPanel::tr("File or rank")}, {}};
    for (const MissingPart& missing : checkpoint.missing) {
        Cell part = textCell(checkpointPartTitle(missing.part));
        // A run can be resumed without random states.
        part.severity = missing.part == CheckpointPart::Rng ? Severity::Note : Severity::Error;
        table.rows.push_back({part, textCell(fileText(missing.name))});
    }
    return table;
}

} // namespace

QString checkpointPartTitle(CheckpointPart part) {
    switch (part) {
    case CheckpointPart::Weights: return CheckpointPanel::tr("Weights");
    case CheckpointPart::Optimizer: return CheckpointPanel::tr("Optimizer");
    case CheckpointPart::Scheduler: return CheckpointPanel::tr("Learning rate scheduler");
    case CheckpointPart::Rng: return CheckpointPanel::tr("Random states");
    case CheckpointPart::Scaler: return CheckpointPanel::tr("Loss scaler");
    case CheckpointPart::Arguments: return CheckpointPanel::tr("Arguments");
    case CheckpointPart::Data: return CheckpointPanel::tr("Data position");
    case CheckpointPart::Other: break;
    }
    return CheckpointPanel::tr("Other values");
}

CheckpointPanel::CheckpointPanel(Document& document, const Services& services, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("checkpointPanel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    const Model& model = document.model();
    if (model.series) m_series = new SeriesPanel(document, services, this);
    if (!model.checkpoint || !m_series) {
        layout->addWidget(model.checkpoint ? makeAnatomy(*model.checkpoint) : m_series, 1);
        return;
    }
    auto* tabs = makeTabs(QStringLiteral("checkpointTabs"), this);
    tabs->addTab(m_series, tr("All checkpoints"));
    tabs->addTab(makeAnatomy(*model.checkpoint), tr("Newest checkpoint"));
    layout->addWidget(tabs, 1);
}

QWidget* CheckpointPanel::makeAnatomy(const Checkpoint& checkpoint) {
    auto* facts = new CellTableView(tr("State of the training run"), this);
    auto* parts = new CellTableView(tr("Parts of the checkpoint"), this);
    auto* missing = new CellTableView(tr("Missing to resume the run"), this);
    facts->setObjectName(QStringLiteral("checkpointFacts"));
    parts->setObjectName(QStringLiteral("checkpointParts"));
    missing->setObjectName(QStringLiteral("checkpointMissing"));
    facts->setStretchedColumn(1);
    parts->setStretchedColumn(4);
    missing->setStretchedColumn(1);
    missing->setEmptyText(tr("Nothing is missing to resume the run."));
    facts->setTable(factTable(checkpoint));
    parts->setTable(partTable(checkpoint));
    missing->setTable(missingTable(checkpoint));
    auto* right = new QSplitter(Qt::Vertical, this);
    right->setChildrenCollapsible(false);
    right->addWidget(makeColumn(tr("Parts"), parts));
    right->addWidget(makeColumn(tr("Missing to resume"), missing));
    right->setSizes({300, 150});
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setChildrenCollapsible(false);
    columns->addWidget(makeColumn(tr("Training run"), facts));
    columns->addWidget(right);
    columns->setSizes({400, 500});
    return columns;
}

QWidget* CheckpointPanel::makeColumn(const QString& heading, CellTableView* table) {
    auto* column = new QWidget(this);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    QLabel* label = makeMutedLabel(column);
    label->setText(heading);
    layout->addWidget(label);
    layout->addWidget(table, 1);
    return column;
}

} // namespace wb::ui::inspect
