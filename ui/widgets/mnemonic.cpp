// SPDX-License-Identifier: MIT
#include "ui/widgets/mnemonic.h"

#include <QAction>
#include <QHash>
#include <QMenu>
#include <QRegularExpression>

#include <memory>

namespace wb::ui {

QString withoutMnemonic(const QString& text) {
    static const QRegularExpression bracketed(QStringLiteral(R"(\(&\w\))"));
    QString plain = text;
    return plain.remove(bracketed).remove(u'&');
}

namespace {

bool isLatin(QChar letter) { return letter.unicode() < 128 && letter.isLetter(); }

// The initials of words first, then every letter.
QList<qsizetype> candidates(const QString& text) {
    QList<qsizetype> initials, others;
    for (qsizetype i = 0; i < text.size(); ++i)
        if (isLatin(text[i])) (i == 0 || text[i - 1].isSpace() ? initials : others) << i;
    return initials + others;
}

// "&Reload", or "重新加载(&A)" where no letter of the text is free; `used` gets the letter.
QString withAltKey(QString text, QString& used) {
    for (const qsizetype at : candidates(text)) {
        const QChar letter = text[at].toUpper();
        if (used.contains(letter)) continue;
        used += letter;
        return text.insert(at, u'&');
    }
    for (char letter = 'A'; letter <= 'Z'; ++letter) {
        if (used.contains(QLatin1Char(letter))) continue;
        used += QLatin1Char(letter);
        return text + QStringLiteral("(&%1)").arg(QLatin1Char(letter));
    }
    return text;
}

} // namespace

void giveAltKeys(QMenu* menu) {
    const auto before = std::make_shared<QHash<QAction*, QString>>();
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, before] {
        QString used;
        const auto actions = menu->actions();
        for (const QAction* action : actions)
            if (const auto at = action->text().indexOf(u'&'); at >= 0) used += action->text().mid(at + 1, 1).toUpper();
        for (QAction* action : actions) {
            if (action->isSeparator() || action->text().contains(u'&')) continue;
            before->insert(action, action->text());
            action->setText(withAltKey(action->text(), used));
        }
    });
    QObject::connect(menu, &QMenu::aboutToHide, menu, [menu, before] {
        const auto actions = menu->actions();
        for (QAction* action : actions)
            if (before->contains(action)) action->setText(before->value(action));
        before->clear();
    });
}

} // namespace wb::ui
