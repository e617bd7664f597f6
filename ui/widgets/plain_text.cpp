// SPDX-License-Identifier: MIT
#include "ui/inspect/plain_text.h"

#include <QTextDocument>

namespace wb::ui::inspect {

QString plainText(const QString& text) {
    return Qt::mightBeRichText(text) ? QStringLiteral("<span>%1</span>").arg(text.toHtmlEscaped()) : text;
}

} // namespace wb::ui::inspect
