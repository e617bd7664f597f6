// SPDX-License-Identifier: MIT
#include "ui/widgets/mnemonic.h"

#include <QRegularExpression>

namespace wb::ui {

QString withoutMnemonic(const QString& text) {
    static const QRegularExpression bracketed(QStringLiteral(R"(\(&\w\))"));
    QString plain = text;
    return plain.remove(bracketed).remove(u'&');
}

} // namespace wb::ui
