// SPDX-License-Identifier: MIT
#include "ui/widgets/translated.h"

#include "core/model/fragments.h"

#include <QCoreApplication>

namespace wb::ui {

namespace {

std::string filled(const char* format, const std::vector<std::string>& arguments, std::string (*shown)(const std::string&)) {
    const QByteArray sentence = QCoreApplication::translate("core", format).toUtf8();
    std::vector<std::string> filling;
    for (const std::string& argument : arguments) filling.push_back(shown(argument));
    return fillSentence({sentence.constData(), static_cast<std::size_t>(sentence.size())}, filling);
}

// A fragment of sentences without fields, "a PNG image"; all else stays as it is.
std::string shownWord(const std::string& argument) {
    const QString known = argument.empty() ? QString() : QCoreApplication::translate("core", argument.c_str());
    return known.isEmpty() || known.contains(QChar::ReplacementCharacter) ? argument : known.toStdString();
}

// Any fragment, with fields, too: "3 chunks". Its arguments are none, so that no file makes this deep.
std::string shownArgument(const std::string& argument) {
    const std::string known = shownWord(argument);
    const auto parts = known == argument ? fragmentParts(argument) : std::nullopt;
    return parts ? filled(parts->format, parts->arguments, shownWord) : known;
}

} // namespace

QString translated(const Error& error) {
    const std::string sentence = filled(error.format, error.arguments, shownArgument);
    return QString::fromStdString(error.input.empty() ? sentence : filled(inputAndSentence, {error.input, sentence}, shownWord));
}

} // namespace wb::ui
