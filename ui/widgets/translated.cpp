// SPDX-License-Identifier: MIT
#include "ui/widgets/translated.h"

#include <QCoreApplication>

namespace wb::ui {

QString translated(const Error& error) {
    const QByteArray sentence = QCoreApplication::translate("core", error.format).toUtf8();
    return QString::fromStdString(fillSentence({sentence.constData(), static_cast<std::size_t>(sentence.size())}, error.arguments));
}

} // namespace wb::ui
