// SPDX-License-Identifier: MIT
#include "ui/memory/report.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace wb::ui::memory {
namespace {

QString rowsTitle(const QAbstractItemModel& rows, int column) { return rows.headerData(column, Qt::Horizontal).toString(); }
QString rowsText(const QAbstractItemModel& rows, int row, int column) { return rows.index(row, column).data().toString(); }

// `cell` writes one, `line` joins those of a row; row -1 are the titles.
template <typename CellText>
QString lines(const QAbstractItemModel& rows, const QList<int>& columns, const QString& separator, CellText cell) {
    QString all;
    for (int row = -1; row < rows.rowCount(); ++row) {
        QStringList cells;
        for (const int column : columns) cells << cell(row < 0 ? rowsTitle(rows, column) : rowsText(rows, row, column));
        all += cells.join(separator) + u'\n';
    }
    return all;
}

QString markdown(const QAbstractItemModel& rows, const QList<int>& columns) {
    QString all;
    for (int row = -1; row < rows.rowCount(); ++row) {
        all += u'|';
        for (const int column : columns)
            all += u' ' + (row < 0 ? rowsTitle(rows, column) : rowsText(rows, row, column)).replace(u'|', QStringLiteral("\\|")) +
                   QStringLiteral(" |");
        all += u'\n';
        if (row < 0) all += u'|' + QStringLiteral("---|").repeated(columns.size()) + u'\n';
    }
    return all;
}

// A spreadsheet would compute what starts with =, +, - or @.
QString csvCell(QString text) {
    if (!text.isEmpty() && QStringLiteral("=+-@").contains(text.front())) text.prepend(u' ');
    if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n')) return text;
    return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString json(const QString& heading, const QAbstractItemModel& rows, const QList<int>& columns) {
    QJsonArray all;
    for (int row = 0; row < rows.rowCount(); ++row) {
        QJsonObject object;
        for (const int column : columns) {
            const QModelIndex index = rows.index(row, column);
            const QVariant key = index.data(KeyRole);
            const bool isNumber = key.typeId() == QMetaType::ULongLong || key.typeId() == QMetaType::Double;
            const QString text = index.data().toString();
            object.insert(rowsTitle(rows, column), text == QStringLiteral("–") ? QJsonValue()
                                                   : isNumber                  ? QJsonValue::fromVariant(key)
                                                                               : QJsonValue(text));
        }
        all.append(object);
    }
    return QString::fromUtf8(
        QJsonDocument(QJsonObject{{QStringLiteral("summary"), heading}, {QStringLiteral("rows"), all}}).toJson());
}

} // namespace

QString report(const QString& heading, const QAbstractItemModel& rows, const QList<int>& columns, ReportForm form) {
    switch (form) {
    case ReportForm::Text:
        return heading + u'\n' + lines(rows, columns, QStringLiteral("\t"), [](const QString& cell) { return cell; });
    case ReportForm::Markdown: return heading + QStringLiteral("\n\n") + markdown(rows, columns);
    case ReportForm::Json: return json(heading, rows, columns);
    case ReportForm::Csv: return lines(rows, columns, QStringLiteral(","), csvCell);
    }
    return {};
}

} // namespace wb::ui::memory
