// SPDX-License-Identifier: MIT
#include "ui/browse/sizes.h"

#include <QLocale>

namespace wb::ui::browse {

QString decimalBytes(std::uint64_t bytes) {
    const double size = static_cast<double>(bytes);
    if (bytes < 1000) return QLocale().toString(static_cast<qulonglong>(bytes)) + QStringLiteral(" B");
    if (bytes < 1'000'000) return QLocale().toString(size / 1e3, 'f', 1) + QStringLiteral(" kB");
    if (bytes < 1'000'000'000) return QLocale().toString(size / 1e6, 'f', 1) + QStringLiteral(" MB");
    return QLocale().toString(size / 1e9, 'f', 2) + QStringLiteral(" GB");
}

} // namespace wb::ui::browse
