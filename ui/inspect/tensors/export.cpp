// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/export.h"

#include "core/stats/stats_json.h"
#include "ui/inspect/document/numbers.h"
#include "ui/inspect/tensors/tensor_column.h"

#include <QFileInfo>
#include <QSaveFile>

namespace wb::ui::inspect {
namespace {

constexpr std::array<const char*, columnCount> csvNames = {"name", "dtype",  "shape",    "elements", "bytes", "share",
                                                           "role", "layer",  "file",     "min",      "max",   "mean",
                                                           "std",  "absmax", "kurtosis", "zeros",    "nan",   "outliers6"};

QByteArray quoted(const QString& field) {
    if (!field.contains(QLatin1Char(',')) && !field.contains(QLatin1Char('"')) && !field.contains(QLatin1Char('\n')) &&
        !field.contains(QLatin1Char('\r')))
        return field.toUtf8();
    QString escaped = field;
    escaped.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return '"' + escaped.toUtf8() + '"';
}

QByteArray csvHeader() {
    QByteArray line;
    for (const char* name : csvNames) line += (line.isEmpty() ? "" : ",") + QByteArray(name);
    return line + "\r\n";
}

QByteArray csvRow(const Contents& contents, std::uint32_t tensor) {
    QByteArray line;
    for (int column = 0; column < columnCount; ++column) {
        if (column > 0) line += ',';
        line += quoted(exactCell(contents, tensor, static_cast<Column>(column)));
    }
    return line + "\r\n";
}

QByteArray jsonObject(const Contents& contents, std::uint32_t tensor) {
    const TensorInfo& info = contents.tensor(tensor);
    const auto& files = contents.model->files;
    nlohmann::ordered_json object = {{"name", info.name},
                                     {"dtype", info.dtypeName()},
                                     {"shape", info.shape.dimensions()},
                                     {"elements", info.shape.elements()},
                                     {"bytes", info.bytes},
                                     {"file", info.file < files.size() ? files[info.file].name : std::string()},
                                     {"offset", nullptr},
                                     {"logical", info.logical}};
    if (info.offset) object["offset"] = *info.offset;
    if (const stats::TensorStats* known = contents.statistics(tensor)) object["stats"] = stats::toJson(*known, info.shape);
    return QByteArray::fromStdString(object.dump());
}

Result<void> writeRows(QSaveFile& file, const Contents& contents, std::span<const std::uint32_t> tensors, ExportFormat format,
                       const Progress& progress) {
    const bool json = format == ExportFormat::Json;
    file.write(json ? QByteArray("[\n") : csvHeader());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        WB_TRY(progress.at(i, tensors.size()));
        if (json)
            file.write(jsonObject(contents, tensors[i]) + (i + 1 < tensors.size() ? ",\n" : "\n"));
        else
            file.write(csvRow(contents, tensors[i]));
    }
    if (json) file.write("]\n");
    return {};
}

} // namespace

Result<void> exportTensors(const Contents& contents, std::span<const std::uint32_t> tensors, ExportFormat format, const QString& path,
                           const Progress& progress) {
    const std::string name = QFileInfo(path).fileName().toStdString();
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        WB_TRY(writeRows(file, contents, tensors, format, progress));
        if (file.commit()) return {};
    }
    return fail(ErrorCode::NotReadable, WB_TEXT("{} cannot be written: {}."), name, file.errorString().toStdString());
}

} // namespace wb::ui::inspect
