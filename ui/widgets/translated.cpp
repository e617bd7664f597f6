// SPDX-License-Identifier: MIT
#include "ui/widgets/translated.h"

#include <QCoreApplication>

namespace wb::ui {

namespace {

std::string filled(const char* format, const std::vector<std::string>& arguments) {
    const QByteArray sentence = QCoreApplication::translate("core", format).toUtf8();
    return fillSentence({sentence.constData(), static_cast<std::size_t>(sentence.size())}, arguments);
}

} // namespace

QString translated(const Error& error) {
    const std::string sentence = filled(error.format, error.arguments);
    return QString::fromStdString(error.input.empty() ? sentence : filled(inputAndSentence, {error.input, sentence}));
}

} // namespace wb::ui
