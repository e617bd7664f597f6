// SPDX-License-Identifier: MIT
#include "ui/shell/settings/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QHash>
#include <QMutex>
#include <QTranslator>

static void initTranslations() { Q_INIT_RESOURCE(translations); }

namespace wb::ui {
namespace {

// Records its translations, because Qt has no reverse lookup and every text passes through here before it is shown.
class OurTexts : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override {
        QString text = QTranslator::translate(context, source, disambiguation, n);
        if (!text.isEmpty() && qstrlen(source) < longestRemembered) remember(text, source);
        return text;
    }
    QString englishText(const QString& shown) const {
        const QMutexLocker locked(&m_mutex);
        return m_english.value(shown);
    }
    void forget() {
        const QMutexLocker locked(&m_mutex);
        m_english.clear();
    }

private:
    static constexpr std::size_t longestRemembered = 80; // no command is longer

    void remember(const QString& text, const char* source) const {
        const QMutexLocker locked(&m_mutex);
        if (m_english.contains(text)) return;
        if (QString english = QString::fromUtf8(source); english != text) m_english.insert(text, english);
    }

    mutable QMutex m_mutex;
    mutable QHash<QString, QString> m_english; // as many as the translation has
};

OurTexts& ourTexts() {
    static OurTexts texts;
    return texts;
}

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
    OurTexts& ours = ourTexts();
    static QTranslator qt;
    QCoreApplication::removeTranslator(&ours);
    QCoreApplication::removeTranslator(&qt);
    ours.forget();
    const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
    QLocale::setDefault(locale);
    if (locale.language() != QLocale::English && loadQtTexts(qt, locale)) QCoreApplication::installTranslator(&qt);
    if (loadOurTexts(ours, locale)) QCoreApplication::installTranslator(&ours);
}

QString englishText(const QString& shown) { return ourTexts().englishText(shown); }

} // namespace wb::ui
