// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/tensor_column.h"

#include "ui/inspect/document/glossary.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/shape_text.h"
#include "ui/widgets/tensor_words.h"

#include <QCoreApplication>

namespace wb::ui::inspect {
namespace {

struct ColumnText {
    const char* title;
    const char* toolTip;
};

constexpr std::array<ColumnText, columnCount> texts = {{
    {QT_TRANSLATE_NOOP("TensorColumn", "Name"), QT_TRANSLATE_NOOP("TensorColumn", "Name of the tensor as stored in the file.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Type"), QT_TRANSLATE_NOOP("TensorColumn", "Storage format of the elements.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Shape"),
     QT_TRANSLATE_NOOP("TensorColumn", "Dimensions, outermost first; GGUF files list them in reverse.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Elements"), QT_TRANSLATE_NOOP("TensorColumn", "Number of elements in the tensor.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Size"), QT_TRANSLATE_NOOP("TensorColumn", "Size in bytes as stored, without padding.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Share"), QT_TRANSLATE_NOOP("TensorColumn", "Share of all stored bytes.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Role"), QT_TRANSLATE_NOOP("TensorColumn", "Purpose of the tensor, derived from its name.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Layer"),
     QT_TRANSLATE_NOOP("TensorColumn", "Index of the layer (block) that the tensor belongs to.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "File"), QT_TRANSLATE_NOOP("TensorColumn", "File that contains the tensor's data.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Min"), QT_TRANSLATE_NOOP("TensorColumn", "Smallest finite element.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Max"), QT_TRANSLATE_NOOP("TensorColumn", "Largest finite element.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Mean"), QT_TRANSLATE_NOOP("TensorColumn", "Mean of the finite elements.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Std dev"), QT_TRANSLATE_NOOP("TensorColumn", "Standard deviation of the finite elements.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Max abs"),
     QT_TRANSLATE_NOOP("TensorColumn", "Largest absolute value among the finite elements.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Excess kurtosis"),
     QT_TRANSLATE_NOOP("TensorColumn", "0 for a normal distribution; large if a few elements are far from the rest.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Zeros"), QT_TRANSLATE_NOOP("TensorColumn", "Number of elements that are exactly zero.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "NaN"), QT_TRANSLATE_NOOP("TensorColumn", "Number of NaN elements.")},
    {QT_TRANSLATE_NOOP("TensorColumn", "Outliers"),
     QT_TRANSLATE_NOOP("TensorColumn", "Number of elements more than six standard deviations from the mean.")},
}};

const ColumnText& columnText(Column column) { return texts[static_cast<std::size_t>(column)]; }

struct TensorColumn {
    Q_DECLARE_TR_FUNCTIONS(TensorColumn)
};

// Of a weight that is made of several stored tensors the scheme says more than the type it decodes to.
QString typeCell(const TensorInfo& info) {
    const bool hasScheme = info.logical && info.details && !info.details->scheme.empty();
    return hasScheme ? schemeText(info.details->scheme) : text(info.dtypeName());
}

QString layerText(const stats::TensorFacts& facts) { return facts.layer ? QString::number(*facts.layer) : QString(); }

// With the checkpoint, if a folder has several whose tensors have the same names.
QString fileText(const stats::Contents& contents, std::uint32_t tensor) {
    const auto& files = contents.model->files;
    const TensorInfo& info = contents.tensor(tensor);
    const QString name = info.file() < files.size() ? text(files[info.file()].name) : QString();
    const QString group = info.details ? text(info.details->group) : QString();
    return group.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, group);
}

QString statisticCell(const stats::TensorStats& stats, Column column, auto number, auto element, auto count) {
    switch (column) {
    case Column::Min: return element(stats.min);
    case Column::Max: return element(stats.max);
    case Column::AbsMax: return element(stats.absmax);
    case Column::Mean: return number(stats.mean);
    case Column::Std: return number(stats.std);
    case Column::Kurtosis: return number(stats.kurtosis);
    case Column::Zeros: return count(stats.zeros);
    case Column::NaN: return count(stats.nan);
    case Column::Outliers: return count(stats.outliers6);
    default: return {};
    }
}

QString exactCount(quint64 value) { return QString::number(value); }

} // namespace

QString columnTitle(Column column) { return TensorColumn::tr(columnText(column).title); }

QString columnToolTip(Column column) { return TensorColumn::tr(columnText(column).toolTip); }

bool isStatistic(Column column) { return column >= Column::Min; }

bool isNumeric(Column column) {
    return isStatistic(column) || column == Column::Elements || column == Column::Size || column == Column::Layer;
}

QString shownCell(const stats::Contents& contents, std::uint32_t tensor, Column column) {
    const TensorInfo& info = contents.tensor(tensor);
    switch (column) {
    case Column::Name: return text(info.name);
    case Column::Type: return typeCell(info);
    case Column::Shape: return shownShape(info.shape);
    case Column::Elements: return shownCount(info.shape.elements());
    case Column::Size: return bytesText(info.bytes());
    case Column::Share: return info.logical ? QString() : shownPercent(contents.share(tensor));
    case Column::Role: return roleTitle(contents.facts[tensor].role);
    case Column::Layer: return layerText(contents.facts[tensor]);
    case Column::File: return fileText(contents, tensor);
    default: break;
    }
    const stats::TensorStats* stats = contents.statistics(tensor);
    if (!stats) return {};
    return statisticCell(
        *stats, column, [](const auto& v) { return shownOptional(v); }, [](const auto& v) { return shownOptional(v); }, shownCount);
}

QString exactCell(const stats::Contents& contents, std::uint32_t tensor, Column column) {
    const TensorInfo& info = contents.tensor(tensor);
    switch (column) {
    case Column::Shape: return text(info.shape.toString());
    case Column::Elements: return QString::number(info.shape.elements());
    case Column::Size: return QString::number(info.bytes());
    case Column::Share: return exactNumber(contents.share(tensor));
    case Column::Role: return QString::fromLatin1(arch::roleName(contents.facts[tensor].role));
    default: break;
    }
    if (!isStatistic(column)) return shownCell(contents, tensor, column);
    const stats::TensorStats* stats = contents.statistics(tensor);
    if (!stats) return {};
    return statisticCell(
        *stats, column, [](const auto& v) { return exactOptional(v); }, [](const auto& v) { return exactOptional(v); }, exactCount);
}

} // namespace wb::ui::inspect
