// SPDX-License-Identifier: MIT
#include "ui/inspect/checkpoint/checkpoint_panel.h"

#include "core/base/text.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"

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

QString partText(CheckpointPart part) {
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
        Cell size = numberCell(part.bytes != 0 ? bytesText(part.bytes) : QString());
        size.exact = QString::number(part.bytes);
        table.rows.push_back({textCell(partText(part.part)), numberCell(part.tensors != 0 ? shownCount(part.tensors) : QString()),
                              numberCell(part.tensors != 0 ? shownCount(part.parameters) : QString()), size, files});
    }
    return table;
}

TableContent missingTable(const Checkpoint& checkpoint) {
    TableContent table{{CheckpointPanel::tr("Missing part"), CheckpointPanel::tr("File or rank")}, {}};
    for (const MissingPart& missing : checkpoint.missing) {
        Cell part = textCell(partText(missing.part));
        // A run can be resumed without random states.
        part.severity = missing.part == CheckpointPart::Rng ? Severity::Note : Severity::Error;
        table.rows.push_back({part, textCell(fileText(missing.name))});
    }
    return table;
}

TableContent seriesTable(const std::vector<SeriesEntry>& series) {
    TableContent table{{CheckpointPanel::tr("Checkpoint"), CheckpointPanel::tr("Step"), CheckpointPanel::tr("Epoch"),
                        CheckpointPanel::tr("Loss"), CheckpointPanel::tr("Size"), CheckpointPanel::tr("Parts")},
                       {}};
    for (const SeriesEntry& entry : series) {
        QStringList parts;
        for (const CheckpointPart part : entry.parts) parts << partText(part);
        table.rows.push_back({textCell(fileText(entry.path)), numberCell(entry.step ? shownCount(*entry.step) : QString()),
                              numberCell(shownOptional(entry.epoch)), numberCell(shownOptional(entry.loss)),
                              numberCell(bytesText(entry.bytes)), textCell(parts.join(QStringLiteral(", ")))});
    }
    return table;
}

} // namespace

CheckpointPanel::CheckpointPanel(ModelPtr model, QWidget* parent)
    : QWidget(parent), m_model(std::move(model)), m_facts(new CellTableView(tr("State of the training run"), this)),
      m_parts(new CellTableView(tr("Parts of the checkpoint"), this)),
      m_missing(new CellTableView(tr("Missing to resume the run"), this)),
      m_series(new CellTableView(tr("Checkpoints of the run"), this)) {
    setObjectName(QStringLiteral("checkpointPanel"));
    m_facts->setObjectName(QStringLiteral("checkpointFacts"));
    m_parts->setObjectName(QStringLiteral("checkpointParts"));
    m_missing->setObjectName(QStringLiteral("checkpointMissing"));
    m_series->setObjectName(QStringLiteral("checkpointSeries"));
    m_facts->setStretchedColumn(1);
    m_parts->setStretchedColumn(4);
    m_missing->setStretchedColumn(1);
    m_series->setStretchedColumn(5);
    m_missing->setEmptyText(tr("Nothing is missing to resume the run."));
    QWidget* facts = makeColumn(tr("Training run"), m_facts);
    QWidget* parts = makeColumn(tr("Parts"), m_parts);
    QWidget* missing = makeColumn(tr("Missing to resume"), m_missing);
    QWidget* series = makeColumn(tr("All checkpoints"), m_series);
    auto* right = new QSplitter(Qt::Vertical, this);
    right->setChildrenCollapsible(false);
    right->addWidget(parts);
    right->addWidget(missing);
    right->addWidget(series);
    right->setSizes({300, 150, 200});
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setChildrenCollapsible(false);
    columns->addWidget(facts);
    columns->addWidget(right);
    columns->setSizes({400, 500});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->addWidget(columns, 1);
    series->setVisible(m_model->series != nullptr);
    if (m_model->series) m_series->setTable(seriesTable(*m_model->series));
    for (QWidget* column : {facts, parts, missing}) column->setVisible(m_model->checkpoint != nullptr);
    if (!m_model->checkpoint) return;
    m_facts->setTable(factTable(*m_model->checkpoint));
    m_parts->setTable(partTable(*m_model->checkpoint));
    m_missing->setTable(missingTable(*m_model->checkpoint));
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
