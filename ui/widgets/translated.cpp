// SPDX-License-Identifier: MIT
#include "ui/widgets/translated.h"

#include <QCoreApplication>

namespace wb::ui {

namespace {

std::string filled(const char* format, const std::vector<std::string>& arguments) {
    const QByteArray sentence = QCoreApplication::translate("core", format).toUtf8();
    std::vector<std::string> filling; // some are fragments of sentences, "a PNG image"; all others stay as they are
    for (const std::string& argument : arguments) {
        const QString known = argument.empty() ? QString() : QCoreApplication::translate("core", argument.c_str());
        filling.push_back(known.isEmpty() || known.contains(QChar::ReplacementCharacter) ? argument : known.toStdString());
    }
    return fillSentence({sentence.constData(), static_cast<std::size_t>(sentence.size())}, filling);
}

} // namespace

QString translated(const Error& error) {
    const std::string sentence = filled(error.format, error.arguments);
    return QString::fromStdString(error.input.empty() ? sentence : filled(inputAndSentence, {error.input, sentence}));
}

} // namespace wb::ui
