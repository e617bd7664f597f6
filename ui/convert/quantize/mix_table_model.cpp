// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/mix_table_model.h"

#include "ui/convert/plan_model.h"
#include "ui/convert/quality.h"
#include "ui/widgets/numbers.h"

#include <QFont>
#include <QLocale>

namespace wb::ui::convert {

using namespace wb::quantize;

namespace {

QString verdictText(memory::Verdict verdict) {
    switch (verdict) {
    case memory::Verdict::Fits: return MixTableModel::tr("fits");
    case memory::Verdict::Tight: return MixTableModel::tr("tight");
    case memory::Verdict::No: break;
    }
    return MixTableModel::tr("too large");
}

} // namespace

MixTableModel::MixTableModel(const MixSession& mixes, QObject* parent) : QAbstractTableModel(parent), m_mixes(mixes) {
    connect(&mixes, &MixSession::changed, this, &MixTableModel::renew);
    renew();
}

// Another memory changes cells only, so that the selection and the place of the view stay.
void MixTableModel::renew() {
    const int rows = m_mixes.table() ? static_cast<int>(m_mixes.table()->rows.size()) : 0;
    if (rows == m_rows) {
        if (rows > 0) emit dataChanged(index(0, 0), index(rows - 1, columns - 1));
        return;
    }
    beginResetModel();
    m_rows = rows;
    endResetModel();
    emit headerDataChanged(Qt::Horizontal, Published, Published); // says whether there is a matrix
}

quant::FileType MixTableModel::typeAt(int row) const { return mix(row).type; }

bool MixTableModel::isAdvised(int row) const { return m_mixes.advice() && m_mixes.advice()->row == static_cast<std::size_t>(row); }

int MixTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int MixTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

std::optional<double> MixTableModel::number(int row, int column) const {
    const MixRow& at = mix(row);
    const auto& need = m_mixes.needs()[static_cast<std::size_t>(row)];
    switch (column) {
    case Size: return static_cast<double>(at.bytes);
    case Bits: return at.bitsPerWeight;
    case Error: return at.relativeError;
    case Weighted: return at.weightedError;
    case Published: return at.published ? std::optional(at.published->divergence) : std::nullopt;
    case Needs: return need ? std::optional(static_cast<double>(need->bytes)) : std::nullopt;
    case Fits: return need ? std::optional(static_cast<double>(need->verdict)) : std::nullopt;
    default: return std::nullopt;
    }
}

QString MixTableModel::shown(int row, int column) const {
    const MixRow& at = mix(row);
    const auto& need = m_mixes.needs()[static_cast<std::size_t>(row)];
    if (column == Mix) return QString::fromLatin1(quant::info(at.type).name);
    if (column == Error && at.needsMatrix) return tr("needs imatrix");
    const auto value = number(row, column);
    if (!value) return QStringLiteral("–");
    switch (column) {
    case Size: return bytesText(at.bytes);
    case Needs: return bytesText(need->bytes);
    case Fits: return verdictText(need->verdict);
    case Bits: return QLocale().toString(*value, 'f', 2);
    case Published: return QLocale().toString(*value, 'f', 4);
    default: return tr("%1%").arg(QLocale().toString(*value * 100, 'g', 3));
    }
}

QVariant MixTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int row = index.row();
    switch (role) {
    case Qt::DisplayRole: return shown(row, index.column());
    case SortRole: // unknown values are last
        return index.column() == Mix ? QVariant(shown(row, Mix)) : QVariant(number(row, index.column()).value_or(1e300));
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Mix || index.column() == Fits ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    case Qt::FontRole: {
        if (!isAdvised(row)) return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case Qt::ToolTipRole:
        if (index.column() == Published && mix(row).published) return QString::fromLatin1(quant::publishedSource);
        if (index.column() == Size) return tr("%1 bytes").arg(shownCount(mix(row).bytes));
        return qualityNote(mix(row).type);
    default: return {};
    }
}

QVariant MixTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Mix || section == Fits ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Error: return tr("Relative RMS error over all weights, measured on this model");
        case Weighted: return tr("The same, weighted by the importance matrix");
        case Published:
            return m_mixes.table() && m_mixes.table()->isWeighted
                       ? tr("Mean KL divergence with an importance matrix, as published for Llama 3 8B")
                       : tr("Mean KL divergence without an importance matrix, as published for Llama 3 8B");
        case Needs: return tr("Memory for weights, KV cache and compute buffers at run time");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Mix: return tr("Quantization");
    case Size: return tr("File");
    case Bits: return tr("Bits");
    case Error: return tr("Error");
    case Weighted: return tr("Weighted error");
    case Published: return m_mixes.table() && m_mixes.table()->isWeighted ? tr("KLD with imatrix") : tr("KLD without imatrix");
    case Needs: return tr("Memory needed");
    default: return tr("Memory");
    }
}

} // namespace wb::ui::convert
