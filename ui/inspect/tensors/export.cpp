// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/export.h"

#include "core/stats/stats_json.h"
#include "core/model/output_check.h"
#include "ui/widgets/numbers.h"
#include "ui/inspect/tensors/tensor_column.h"
#include "ui/widgets/paths.h"

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

QByteArray csvRow(const stats::Contents& contents, std::uint32_t tensor) {
    QByteArray line;
    for (int column = 0; column < columnCount; ++column) {
        if (column > 0) line += ',';
        line += quoted(exactCell(contents, tensor, static_cast<Column>(column)));
    }
    return line + "\r\n";
}

void writeShape(JsonWriter& out, const Shape& shape) {
    out.beginArray();
    for (const std::uint64_t dimension : shape.dimensions()) out.integer(dimension);
    out.endArray();
}

void writeTensor(JsonWriter& out, const stats::Contents& contents, std::uint32_t tensor) {
    const TensorInfo& info = contents.tensor(tensor);
    const auto& files = contents.model->files;
    out.newline();
    out.beginObject();
    out.key("name");
    out.string(info.name);
    out.key("dtype");
    out.string(info.dtypeName());
    out.key("shape");
    writeShape(out, info.shape);
    out.key("elements");
    out.integer(info.shape.elements());
    out.key("bytes");
    out.integer(info.bytes());
    out.key("file");
    out.string(info.file() < files.size() ? std::string_view(files[info.file()].name) : std::string_view());
    out.key("offset");
    if (info.offset()) out.integer(*info.offset());
    else out.null();
    out.key("logical");
    out.boolean(info.logical);
    if (const stats::TensorStats* known = contents.statistics(tensor)) {
        out.key("stats");
        stats::writeJson(out, *known, info.shape);
    }
    out.endObject();
}

Result<void> writeJson(QSaveFile& file, const stats::Contents& contents, std::span<const std::uint32_t> tensors,
                       const Progress& progress) {
    JsonWriter out([&file](std::string_view text) { file.write(text.data(), static_cast<qint64>(text.size())); });
    out.beginArray();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        WB_TRY(progress.at(i, tensors.size()));
        writeTensor(out, contents, tensors[i]);
    }
    out.newline();
    out.endArray();
    out.finish();
    return {};
}

Result<void> writeCsv(QSaveFile& file, const stats::Contents& contents, std::span<const std::uint32_t> tensors,
                      const Progress& progress) {
    file.write(csvHeader());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        WB_TRY(progress.at(i, tensors.size()));
        file.write(csvRow(contents, tensors[i]));
    }
    return {};
}

} // namespace

Result<void> exportTensors(const stats::Contents& contents, std::span<const std::uint32_t> tensors, ExportFormat format,
                           const QString& path, const Progress& progress) {
    WB_TRY(checkNoModelFile(*contents.model, fsPath(path)));
    const std::string name = QFileInfo(path).fileName().toStdString();
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        WB_TRY((format == ExportFormat::Json ? writeJson : writeCsv)(file, contents, tensors, progress));
        if (file.commit()) return {};
    }
    return fail(ErrorCode::NotWritable, Reason("export.not_writable"), About{name},
                WB_TEXT("Cannot write {} ({}); choose another folder or free disk space."), name, file.errorString().toStdString());
}

} // namespace wb::ui::inspect
