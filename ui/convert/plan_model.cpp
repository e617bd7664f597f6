// SPDX-License-Identifier: MIT
#include "ui/convert/plan_model.h"

#include "core/quant/whatif/what_if.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/shape_text.h"

#include <QFont>
#include <QLocale>

#include <algorithm>

namespace wb::ui::convert {
namespace {

QVariant alignment(bool isNumber) { return static_cast<int>((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter); }

} // namespace

void PlanModel::setPlan(std::shared_ptr<const quantize::QuantizePlan> plan, const std::map<std::string, Dtype>& chosen,
                        std::shared_ptr<const wb::convert::ConvertPlan> conversion) {
    const auto folderOf = [](const auto& from) { return from ? from->folder.model : nullptr; };
    const bool isSameFolder = folderOf(conversion) && folderOf(conversion) == folderOf(m_conversion);
    const bool isSameModel = m_plan && plan && (m_plan->model == plan->model || isSameFolder) &&
                             m_plan->tensors.size() == plan->tensors.size() && m_plan->files.size() == plan->files.size();
    if (!isSameModel) beginResetModel();
    m_plan = std::move(plan);
    m_conversion = std::move(conversion);
    m_chosen.assign(m_plan ? m_plan->tensors.size() : 0, false);
    for (std::size_t i = 0; i < m_chosen.size(); ++i)
        m_chosen[i] = !m_plan->tensors[i].kept && chosen.contains(tensor(static_cast<int>(i)).name);
    // Rows that stay keep the selection and the place of the view.
    if (!isSameModel) endResetModel();
    else if (!m_chosen.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

std::string PlanModel::tensorName(int row) const { return tensor(row).name; }

bool PlanModel::isFixed(int row) const { return planned(row).kept; }

int PlanModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->tensors.size());
}

int PlanModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

const wb::convert::PlannedTensor* PlanModel::converted(int row) const {
    const std::size_t source = planned(row).source;
    return m_conversion && source < m_conversion->tensors.size() ? &m_conversion->tensors[source] : nullptr;
}

QString PlanModel::sourceText(int row) const {
    const wb::convert::PlannedTensor* const tensor = converted(row);
    if (!tensor) return {};
    if (tensor->sources.empty()) return tr("config.json");
    const QString first = QString::fromStdString(m_conversion->folder.model->tensors[tensor->sources.front()].name);
    const int others = static_cast<int>(tensor->sources.size()) - 1;
    return others == 0 ? first : tr("%1 and %n more", nullptr, others).arg(first);
}

QString PlanModel::transformText(int row) const {
    using enum wb::convert::Transform;
    const wb::convert::PlannedTensor* const tensor = converted(row);
    if (!tensor) return {};
    if (tensor->sources.empty()) return tr("generated");
    switch (tensor->transform) {
    case Copy: return tr("unchanged");
    case PermuteQueries:
    case PermuteKeys: return tr("rows permuted");
    case Stack: return tr("experts stacked");
    case StackHeads: return tr("heads stacked");
    case AddOne: return tr("plus one");
    case NegateExp:
    case NegateExpColumn: return tr("negative exponential");
    case Squeeze:
    case Column:
    case LeadingAxis:
    case ByGroup: return tr("reshaped");
    case JoinShards: return tr("shards joined");
    case AsPair: return tr("generated");
    case IndexerQueries: return tr("query rows of the indexer");
    case IndexerKeys: return tr("key rows of the indexer");
    case LatentKeys: return tr("keys of each head, transposed");
    case LatentValues: return tr("values of each head");
    case TransposedFirstHalf: return tr("first half, transposed");
    case TransposedSecondHalf: return tr("second half, transposed");
    case Transpose:
    case TransposeEach: return tr("transposed");
    case CutRows: return tr("rows truncated");
    case FirstHalf: return tr("first half");
    case SecondHalf: return tr("second half");
    case EvenColumns: return tr("even columns");
    case OddColumns: return tr("odd columns");
    case Repack: return tr("repacked");
    case RepackEvenRows: return tr("even rows repacked");
    case RepackOddRows: break;
    }
    return tr("odd rows repacked");
}

QString PlanModel::shown(int row, int column) const {
    switch (column) {
    case SourceColumn: return sourceText(row);
    case TransformColumn: return transformText(row);
    case Name: return QString::fromStdString(tensor(row).name);
    case ShapeColumn: return shownShape(tensor(row).shape);
    case From: return QString::fromLatin1(name(converted(row) ? converted(row)->from : planned(row).from));
    case To: return QString::fromLatin1(name(planned(row).to));
    case Bytes: return bytesText(planned(row).bytes);
    default: {
        const double elements = static_cast<double>(std::max<std::uint64_t>(1, tensor(row).shape.elements()));
        return QLocale().toString(8.0 * static_cast<double>(planned(row).bytes) / elements, 'f', 2);
    }
    }
}

QVariant PlanModel::sortKey(int row, int column) const {
    switch (column) {
    case Name: return row; // file order: layers by number
    case ShapeColumn: return static_cast<qulonglong>(tensor(row).shape.elements());
    case Bytes: return static_cast<qulonglong>(planned(row).bytes);
    case Bits:
        return static_cast<double>(planned(row).bytes) /
               static_cast<double>(std::max<std::uint64_t>(1, tensor(row).shape.elements()));
    default: return shown(row, column);
    }
}

QStringList PlanModel::rowTypes(int row) const {
    QStringList types;
    for (const Dtype type : quant::possibleTypes(tensor(row).shape, !planned(row).weights.empty()))
        types << QString::fromLatin1(name(type));
    return types;
}

QVariant PlanModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int row = index.row();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return shown(row, index.column());
    case SortRole: return sortKey(row, index.column());
    case TypesRole: return rowTypes(row);
    case Qt::TextAlignmentRole: return alignment(index.column() == Bytes || index.column() == Bits);
    case Qt::FontRole: {
        if (index.column() != To || !m_chosen[static_cast<std::size_t>(row)]) return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case Qt::ToolTipRole:
        if (index.column() == To && isFixed(row)) return tr("This tensor is never quantized.");
        if (index.column() == To) return tr("Double-click to change the type.");
        return index.column() == Name || index.column() == SourceColumn ? QVariant(plainText(shown(row, index.column())))
                                                                        : QVariant();
    default: return {};
    }
}

bool PlanModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || index.column() != To || isFixed(index.row())) return false;
    if (value.toString() != shown(index.row(), To)) emit typeWanted(shown(index.row(), Name), value.toString());
    return true;
}

QVariant PlanModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) return alignment(section == Bytes || section == Bits);
    if (role == Qt::ToolTipRole && section == Bits) return tr("Bits per weight");
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Tensor");
    case ShapeColumn: return tr("Shape");
    case From: return tr("Source");
    case To: return tr("To");
    case Bytes: return tr("Size");
    case SourceColumn: return tr("Source");
    case TransformColumn: return tr("Transform");
    default: return tr("Bits");
    }
}

Qt::ItemFlags PlanModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == To && !isFixed(index.row())) flags |= Qt::ItemIsEditable;
    return flags;
}

bool ErrorModel::isForPlan(const std::shared_ptr<const quantize::QuantizePlan>& plan,
                           const std::vector<wb::convert::TensorError>& errors) const {
    const auto isSame = [](const wb::convert::TensorError& one, const wb::convert::TensorError& other) {
        return one.rmse == other.rmse && one.relativeRmse == other.relativeRmse && one.cosine == other.cosine;
    };
    return m_plan == plan && std::ranges::equal(m_errors, errors, isSame);
}

void ErrorModel::setOutcome(std::shared_ptr<const quantize::QuantizePlan> plan, std::vector<wb::convert::TensorError> errors) {
    beginResetModel();
    m_plan = std::move(plan);
    m_errors = std::move(errors);
    m_largest = 0;
    for (const auto& error : m_errors) m_largest = std::max(m_largest, error.relativeRmse.value_or(0));
    endResetModel();
}

int ErrorModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_errors.size()); }

int ErrorModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

std::optional<double> ErrorModel::number(int row, int column) const {
    const auto i = static_cast<std::size_t>(row);
    const bool copied = m_plan->tensors[i].copied();
    const wb::convert::TensorError& error = m_errors[i];
    switch (column) {
    case Relative: return copied ? 0 : error.relativeRmse;
    case Rmse: return copied ? 0 : error.rmse;
    case Cosine: return copied ? 1 : error.cosine;
    default: return std::nullopt;
    }
}

QVariant ErrorModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto& planned = m_plan->tensors[static_cast<std::size_t>(index.row())];
    const auto value = number(index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Name) return QString::fromStdString(m_plan->model->tensors[planned.source].name);
        if (index.column() == From) return QString::fromLatin1(name(planned.from));
        if (index.column() == To) return QString::fromLatin1(name(planned.to));
        if (!value) return QStringLiteral("–");
        if (planned.copied()) return index.column() == Relative ? tr("copied") : QString();
        if (index.column() == Relative) return tr("%1%").arg(QLocale().toString(*value * 100, 'f', 3));
        return index.column() == Cosine ? QLocale().toString(*value, 'f', 7) : QLocale().toString(*value, 'g', 4);
    case SortRole:
        if (index.column() == Name) return index.row();
        return index.column() >= Relative ? QVariant(value.value_or(-1)) : data(index, Qt::DisplayRole);
    case ShareRole:
        if (index.column() != Relative || !value || m_largest <= 0) return {};
        return *value / m_largest;
    case Qt::TextAlignmentRole: return alignment(index.column() >= Relative);
    default: return {};
    }
}

QVariant ErrorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) return alignment(section > Relative); // bars start on the left
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Tensor");
    case From: return tr("Source");
    case To: return tr("To");
    case Relative: return tr("Relative error");
    case Rmse: return tr("RMSE");
    default: return tr("Cosine similarity");
    }
}

} // namespace wb::ui::convert
