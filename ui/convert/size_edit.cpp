// SPDX-License-Identifier: MIT
#include "ui/convert/size_edit.h"

#include "core/base/size.h"

#include <algorithm>
#include <array>

namespace wb::ui::convert {

std::optional<quint64> enteredBytes(const QString& text) {
    QString written = text.normalized(QString::NormalizationForm_KC).trimmed();
    written.replace(QChar(0x3002), u'.'); // what an input method makes of the key for the point
    bool isNumber = false;
    written.toDouble(&isNumber);
    if (isNumber) written += QStringLiteral("GB");
    return parseSize(written.toStdString());
}

// Rounded up, so that what has these bytes still fits under the size; in integers, so that exact values are not rounded.
void SizeEdit::setBytes(quint64 bytes) {
    struct Unit {
        quint64 bytes;
        const char* name;
    };
    constexpr std::array units = {Unit{1'000'000'000, "GB"}, Unit{1'000'000, "MB"}, Unit{1'000, "KB"}};
    const auto* const unit = std::ranges::find_if(units, [bytes](const Unit& each) { return bytes >= each.bytes; });
    if (unit == units.end()) return setText(QStringLiteral("%1 B").arg(bytes));
    const quint64 step = unit->bytes / 1000;
    const quint64 steps = bytes / step + (bytes % step != 0);
    QString number = QStringLiteral("%1.%2").arg(steps / 1000).arg(steps % 1000, 3, 10, QLatin1Char('0'));
    while (number.endsWith(u'0')) number.chop(1);
    if (number.endsWith(u'.')) number.chop(1);
    setText(QStringLiteral("%1 %2").arg(number, QLatin1String(unit->name)));
}

} // namespace wb::ui::convert
