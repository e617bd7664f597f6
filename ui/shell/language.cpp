// SPDX-License-Identifier: MIT
#include "ui/shell/language.h"

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

void replace(QTranslator& translator, bool loaded) {
    if (loaded) QCoreApplication::installTranslator(&translator);
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
    if (locale.language() == QLocale::English) return;
    replace(qt, loadQtTexts(qt, locale));
    replace(ours, ours.load(locale, QStringLiteral("weighbridge"), QStringLiteral("_"), QStringLiteral(":/i18n")));
}

} // namespace wb::ui
