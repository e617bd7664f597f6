// SPDX-License-Identifier: MIT
#include "ui/shell/settings/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

static void initTranslations() { Q_INIT_RESOURCE(translations); }

namespace wb::ui {
namespace {

// Qt's own dialogs come translated from Qt: bundled at build where the build machine had the file, else from the system's Qt.
bool loadQtTexts(QTranslator& translator, const QLocale& locale) {
    const QString name = QStringLiteral("qtbase");
    const QString separator = QStringLiteral("_");
    return translator.load(locale, name, separator, QStringLiteral(":/i18n")) ||
           translator.load(locale, name, separator, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

// English has texts too: its plurals. They also serve languages that we have no translation for.
bool loadOurTexts(QTranslator& translator, const QLocale& locale) {
    const QString name = QStringLiteral("weighbridge");
    const QString separator = QStringLiteral("_");
    const QString folder = QStringLiteral(":/i18n");
    return translator.load(locale, name, separator, folder) || translator.load(QLocale(QLocale::English), name, separator, folder);
}

} // namespace

void applyLanguage(const QString& language) {
    initTranslations();
    static QTranslator ours;
    static QTranslator qt;
    QCoreApplication::removeTranslator(&ours);
    QCoreApplication::removeTranslator(&qt);
    const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
    QLocale::setDefault(locale);
    if (locale.language() != QLocale::English && loadQtTexts(qt, locale)) QCoreApplication::installTranslator(&qt);
    if (loadOurTexts(ours, locale)) QCoreApplication::installTranslator(&ours);
}

} // namespace wb::ui
