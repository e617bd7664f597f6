// SPDX-License-Identifier: MIT
#include "ui/widgets/fonts.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QStringList>

namespace wb::ui {
namespace {

// Of Linux, Windows and macOS, the fullest first.
constexpr const char* chineseFamilies[] = {"Noto Sans CJK SC",   "Noto Sans SC",    "Source Han Sans SC", "WenQuanYi Micro Hei",
                                           "Microsoft YaHei UI", "Microsoft YaHei", "PingFang SC"};

} // namespace

QFont withChinese(QFont font) {
    QStringList families{QFontInfo(font).family()}; // an alias such as "Sans Serif" would be passed over
    for (const char* family : chineseFamilies) {
        const QString name = QString::fromLatin1(family);
        if (families.contains(name)) return font;
        if (!QFontDatabase::hasFamily(name)) continue;
        font.setFamilies(families << name);
        return font;
    }
    return font;
}

} // namespace wb::ui
