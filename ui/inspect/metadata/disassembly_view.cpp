// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/disassembly_view.h"

#include "core/base/text.h"
#include "core/scan/scan.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/translated.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

constexpr std::size_t rowsBefore = 100, maxRows = 400; // of a table that is made for hundreds

// The call of the highest level; null where all are harmless.
const DangerousCall* worstCall(const Danger& danger) {
    const auto worst = std::ranges::max_element(danger.calls, {}, &DangerousCall::level);
    return worst == danger.calls.end() || worst->level < DangerLevel::C ? nullptr : &*worst;
}

const ScannedFile* listedFile(const Danger& danger, const DangerousCall* worst) {
    if (worst && !danger.files[worst->file].disassembly.empty()) return &danger.files[worst->file];
    const auto any = std::ranges::find_if(danger.files, [](const ScannedFile& file) { return !file.disassembly.empty(); });
    return any == danger.files.end() ? nullptr : &*any;
}

TableContent opcodeTable(const ScannedFile& file, const DangerousCall* worst) {
    TableContent table{{DisassemblyView::tr("Byte"), DisassemblyView::tr("Opcode"), DisassemblyView::tr("Argument")}, {}};
    const auto isWorst = [&](const ShownOpcode& line) {
        return worst && line.stream == worst->stream && line.position == worst->position;
    };
    const auto at = static_cast<std::size_t>(std::ranges::find_if(file.disassembly, isWorst) - file.disassembly.begin());
    const std::size_t first = at == file.disassembly.size() || at < rowsBefore ? 0 : at - rowsBefore;
    for (std::size_t i = first; i < std::min(file.disassembly.size(), first + maxRows); ++i) {
        const ShownOpcode& line = file.disassembly[i];
        Cell position, opcode, argument;
        position.shown = shownCount(line.position);
        position.number = true;
        opcode.shown = text(line.name);
        if (isWorst(line)) opcode.severity = worst->level == DangerLevel::D ? Severity::Error : Severity::Warning;
        argument.shown = text(line.argument);
        table.rows.push_back({std::move(position), std::move(opcode), std::move(argument)});
    }
    return table;
}

} // namespace

DisassemblyView::DisassemblyView(const QString& path, JobRunner* jobs, QWidget* parent)
    : QWidget(parent), m_path(path), m_job(jobs), m_ask(new QPushButton(tr("Show opcodes"), this)), m_where(makeMutedLabel(this)),
      m_table(new CellTableView(tr("Pickle opcodes"), this)) {
    m_ask->setObjectName(QStringLiteral("showOpcodes"));
    m_ask->setToolTip(tr("Disassemble the pickle opcode by opcode"));
    m_table->setObjectName(QStringLiteral("safetyOpcodes"));
    m_table->setStretchedColumn(2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_ask, 0, Qt::AlignLeft);
    layout->addWidget(m_where);
    layout->addWidget(m_table, 1);
    m_where->hide();
    m_table->hide();
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // a button alone needs no more room
    connect(m_ask, &QPushButton::clicked, this, &DisassemblyView::list);
}

void DisassemblyView::list() {
    m_ask->setEnabled(false);
    m_job.start<Danger>(
        tr("Disassembling %1").arg(QFileInfo(m_path).fileName()),
        [path = fsPath(m_path)](const Progress& progress) {
            scan::Options options;
            options.disassembles = true;
            options.progress = progress;
            return scan::scan(path, options);
        },
        [this](const Danger& danger) { show(danger); },
        [this](const Error& error) {
            m_where->setText(translated(error));
            m_where->show();
            m_ask->setEnabled(true);
        });
}

void DisassemblyView::show(const Danger& danger) {
    const DangerousCall* worst = worstCall(danger);
    const ScannedFile* file = listedFile(danger, worst);
    m_ask->hide();
    m_where->show();
    if (!file) return m_where->setText(tr("Contains no pickle."));
    const std::string where = file->member.empty() ? file->path : file->path + ": " + file->member;
    m_where->setText(text(escapeControls(where)));
    m_table->setTable(opcodeTable(*file, worst));
    m_table->show();
    m_table->setMinimumHeight(m_table->horizontalHeader()->sizeHint().height() +
                              8 * m_table->verticalHeader()->defaultSectionSize());
    QTimer::singleShot(0, this, &DisassemblyView::showWorst); // once it has its height
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
}

void DisassemblyView::showWorst() {
    const CellTableModel* cells = m_table->cells();
    for (int row = 0; row < cells->rowCount(); ++row) {
        if (!cells->cell(row, 1).severity) continue;
        m_table->scrollTo(cells->index(row, 1), QAbstractItemView::PositionAtCenter);
        return m_table->selectRow(row);
    }
}

} // namespace wb::ui::inspect
