// SPDX-License-Identifier: MIT
#include "ui/inspect/storage/storage_panel.h"

#include "core/base/text.h"
#include "core/model/checkpoint.h"
#include "core/model/stored_files.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/tensors/tensor_column.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/shape_text.h"
#include "ui/widgets/tensor_words.h"
#include "ui/widgets/translated.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

Cell cellFromShown(const QString& shown) {
    Cell cell;
    cell.shown = shown;
    return cell;
}

QString formText(const TensorInfo& tensor) {
    switch (tensor.source.form()) {
    case TensorSource::Form::Stored: return StoragePanel::tr("Contiguous");
    case TensorSource::Form::Pieces:
        return StoragePanel::tr("%n segment(s), concatenated on read", nullptr, static_cast<int>(tensor.source.pieces().size()));
    case TensorSource::Form::Strided: return StoragePanel::tr("Strided view");
    case TensorSource::Form::Recipe: return StoragePanel::tr("Computed from its components");
    case TensorSource::Form::Unavailable: break;
    }
    return StoragePanel::tr("Not readable: %1").arg(shownFragment(tensor.source.unavailableWhy()));
}

TableContent factTable(const Model& model, const TensorInfo& tensor) {
    TableContent table{{StoragePanel::tr("Storage"), StoragePanel::tr("Value")}, {}};
    const auto add = [&](const QString& what, const QString& value) {
        if (!value.isEmpty()) table.rows.push_back({cellFromShown(what), cellFromShown(value)});
    };
    add(StoragePanel::tr("Stored as"), formText(tensor));
    const bool isInFile = tensor.file() < model.files.size();
    const StoredPlace place = isInFile ? storedPlace(model, tensor.file()) : StoredPlace{};
    if (isInFile) add(StoragePanel::tr("File"), text(place.file));
    if (tensor.offset() && place.shift && tensor.source.form() != TensorSource::Form::Recipe)
        add(StoragePanel::tr("Offset"), shownCount(*place.shift + *tensor.offset()));
    add(StoragePanel::tr("Bytes"), shownCount(tensor.bytes()));
    const bool isInArchive = place.member.empty() && tensor.details; // the details name an entry that the files do not
    add(StoragePanel::tr("Archive entry"), text(isInArchive ? tensor.details->member : place.member));
    if (!tensor.details) return table;
    const TensorDetails& details = *tensor.details;
    const bool isJoined = model.checkpoint && model.checkpoint->isJoined;
    add(isJoined ? StoragePanel::tr("Joined from ranks") : StoragePanel::tr("Quantization scheme"), schemeText(details.scheme));
    if (details.bitsPerWeight) add(StoragePanel::tr("Bits per weight"), shownNumber(*details.bitsPerWeight));
    add(StoragePanel::tr("Group"), text(details.group));
    if (details.storageOffset)
        add(StoragePanel::tr("Storage offset"),
            StoragePanel::tr("%n element(s)", nullptr, static_cast<int>(*details.storageOffset)));
    if (details.isRepeated)
        add(StoragePanel::tr("Included in totals"), StoragePanel::tr("No, an earlier tensor has the same bytes."));
    for (const std::string& note : details.notes) add(StoragePanel::tr("Note"), shownFragment(note));
    return table;
}

} // namespace

StoragePanel::StoragePanel(const Document& document, const Services& services, QWidget* parent)
    : QWidget(parent), m_document(document), m_job(services.jobs), m_hint(makeMutedLabel(this)),
      m_columns(new QSplitter(Qt::Horizontal, this)), m_facts(new CellTableView(tr("Tensor storage"), this)),
      m_parts(new CellTableView(tr("Components and aliases"), this)),
      m_spectrum(new CellTableView(tr("Singular values of the adapter"), this)), m_spectrumColumn(new QWidget(this)),
      m_spectrumTitle(makeMutedLabel(m_spectrumColumn)) {
    setObjectName(QStringLiteral("storagePanel"));
    m_facts->setObjectName(QStringLiteral("storageFacts"));
    m_parts->setObjectName(QStringLiteral("storageParts"));
    m_spectrum->setObjectName(QStringLiteral("storageSpectrum"));
    m_spectrumTitle->setObjectName(QStringLiteral("storageNorm"));
    m_facts->setStretchedColumn(1);
    m_parts->setTextElideMode(Qt::ElideLeft); // names of parts differ at their ends
    m_parts->setEmptyText(tr("Stored as is, under a single name."));
    auto* column = new QVBoxLayout(m_spectrumColumn);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_spectrumTitle);
    column->addWidget(m_spectrum, 1);
    QSplitter* columns = m_columns;
    columns->setChildrenCollapsible(false);
    for (QWidget* widget : {static_cast<QWidget*>(m_facts), static_cast<QWidget*>(m_parts), m_spectrumColumn})
        columns->addWidget(widget);
    columns->setSizes({370, 350, 200});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(m_hint);
    layout->addWidget(columns, 1);
    const auto choose = [this](const QModelIndex& index) {
        if (!index.isValid()) return;
        const int tensor = m_parts->cells()->cell(index.row(), 0).tensor;
        if (tensor >= 0) emit tensorChosen(static_cast<std::uint32_t>(tensor));
    };
    connect(m_parts, &QAbstractItemView::doubleClicked, this, choose);
    connect(m_parts, &QAbstractItemView::activated, this, choose);
    refresh();
}

bool StoragePanel::isAdapter() const {
    if (!m_tensor) return false;
    const TensorInfo& tensor = m_document.contents().tensor(*m_tensor);
    return tensor.logical && m_document.model().format == FormatId::Peft && tensor.name.ends_with(".delta");
}

void StoragePanel::setTensor(std::optional<std::uint32_t> tensor) {
    if (tensor && tensor == m_tensor) return;
    m_tensor = tensor;
    m_job.cancel();
    refresh();
    m_isStale = isAdapter();
    if (isVisible()) request();
}

void StoragePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    request();
}

// Parts first, then the names that share the bytes; a row leads to its tensor.
void StoragePanel::refresh() {
    m_spectrum->setTable({});
    if (isAdapter() && m_spectrumColumn->isHidden()) m_columns->setSizes({200, 345, 295});
    m_spectrumColumn->setVisible(isAdapter());
    m_spectrumTitle->setText(isAdapter() ? tr("Reading both factors…") : QString());
    m_facts->setVisible(m_tensor.has_value());
    m_parts->setVisible(m_tensor.has_value());
    m_hint->setVisible(!m_tensor);
    m_hint->setText(tr("Select a tensor to see its storage."));
    if (!m_tensor) return;
    const stats::Contents& contents = m_document.contents();
    const TensorInfo& tensor = contents.tensor(*m_tensor);
    m_facts->setTable(factTable(*contents.model, tensor));
    TableContent table{{tr("Tensor"), tr("Relation"), tr("Type"), tr("Shape"), tr("Bytes")}, {}};
    const auto add = [&](const std::string& name, const QString& what) {
        constexpr std::size_t maxRows = 500;
        if (table.rows.size() >= maxRows) return;
        Cell cell = cellFromShown(text(escapeControls(name)));
        std::vector<Cell> row{cell, cellFromShown(what), {}, {}, {}};
        const auto isIt = [&](const TensorInfo& other) { return other.name == name && &other != &tensor; };
        const auto found = std::ranges::find_if(contents.model->tensors, isIt);
        if (found != contents.model->tensors.end()) {
            row[0].tensor = static_cast<int>(found - contents.model->tensors.begin());
            row[0].toolTip = tr("Double-click to open.");
            row[2] = cellFromShown(text(found->dtypeName()));
            row[3] = cellFromShown(shownShape(found->shape));
            row[4] = cellFromShown(shownCount(found->bytes()));
            row[4].number = true;
        }
        table.rows.push_back(std::move(row));
    };
    if (tensor.details) {
        for (const std::string& part : tensor.details->parts) add(part, tr("component"));
        for (const std::string& alias : tensor.details->aliases) add(alias, tr("same bytes"));
    }
    for (std::uint32_t i = 0; i < contents.count() && !tensor.logical; ++i) { // what it is a part of
        const auto& details = contents.tensor(i).details;
        if (details && std::ranges::find(details->parts, tensor.name) != details->parts.end())
            add(contents.tensor(i).name, tr("derived from it"));
    }
    m_parts->setTable(std::move(table));
}

void StoragePanel::request() {
    if (!m_isStale || !isAdapter()) return;
    m_isStale = false;
    using Found = std::optional<peft::Spectrum>;
    m_job.start<Found>(
        tr("Singular values of an adapter"),
        [model = m_document.contents().model, tensor = *m_tensor](const Progress& progress) -> Result<Found> {
            return peft::adapterSpectrum(*model, model->tensors[tensor], progress);
        },
        [this](const Found& spectrum) {
            if (spectrum) showSpectrum(*spectrum);
            else m_spectrumTitle->setText(tr("The rank is too high to compute singular values."));
        },
        [this](const Error& error) { m_spectrumTitle->setText(translated(error)); });
}

void StoragePanel::showSpectrum(const peft::Spectrum& spectrum) {
    m_spectrumTitle->setText(tr("Frobenius norm %1, rank %2").arg(shownNumber(spectrum.norm)).arg(spectrum.singularValues.size()));
    TableContent table{{tr("No."), tr("Singular value"), tr("Share of norm")}, {}};
    constexpr std::size_t maxRows = 1024;
    for (std::size_t i = 0; i < std::min(spectrum.singularValues.size(), maxRows); ++i) {
        const double value = spectrum.singularValues[i];
        const double share = spectrum.norm > 0 ? value * value / (spectrum.norm * spectrum.norm) : 0;
        Cell number = cellFromShown(shownNumber(value));
        number.exact = exactNumber(value);
        number.number = true;
        Cell part = cellFromShown(shownPercent(share));
        part.number = true;
        part.share = share;
        table.rows.push_back({cellFromShown(QString::number(i + 1)), number, part});
    }
    m_spectrum->setTable(std::move(table));
}

} // namespace wb::ui::inspect
