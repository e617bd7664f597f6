// SPDX-License-Identifier: MIT
#include "ui/widgets/plain_text.h"

#include <QTextDocument>

namespace wb::ui {

QString plainText(const QString& text) {
    return Qt::mightBeRichText(text) ? QStringLiteral("<span>%1</span>").arg(text.toHtmlEscaped()) : text;
}

} // namespace wb::ui
