// SPDX-License-Identifier: MIT
#include "ui/convert/size_edit.h"

#include "core/base/size.h"

#include <array>

namespace wb::ui::convert {

std::optional<quint64> SizeEdit::bytes() const {
    QString written = text().normalized(QString::NormalizationForm_KC).trimmed();
    written.replace(QChar(0x3002), u'.'); // what an input method makes of the key for the point
    bool isNumber = false;
    written.toDouble(&isNumber);
    if (isNumber) written += QStringLiteral("GB");
    return parseSize(written.toStdString());
}

void SizeEdit::setBytes(quint64 bytes) {
    struct Unit {
        double bytes;
        const char* name;
    };
    constexpr std::array units = {Unit{1e9, "GB"}, Unit{1e6, "MB"}, Unit{1e3, "KB"}, Unit{1, "B"}};
    const auto value = static_cast<double>(bytes);
    const Unit* unit = units.begin();
    while (unit + 1 != units.end() && value < unit->bytes) ++unit;
    QString number = QString::number(value / unit->bytes, 'f', 3);
    while (number.endsWith(u'0')) number.chop(1);
    if (number.endsWith(u'.')) number.chop(1);
    setText(QStringLiteral("%1 %2").arg(number, QLatin1String(unit->name)));
}

} // namespace wb::ui::convert
