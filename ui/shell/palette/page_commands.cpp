// SPDX-License-Identifier: MIT
#include "ui/shell/palette/page_commands.h"

#include "ui/shell/settings/language.h"
#include "ui/shell/tab.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/mnemonic.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QCoreApplication>
#include <QHash>
#include <QMenu>
#include <QPointer>
#include <QTabBar>

#include <algorithm>

namespace wb::ui {
namespace {

// Where an action can be seen: in the widget that has it, or in the one that its menu belongs to.
bool isReachable(const QAction* action, const QWidget* tab) {
    const auto objects = action->associatedObjects();
    return std::ranges::any_of(objects, [tab](QObject* object) {
        auto* widget = qobject_cast<QWidget*>(object);
        if (qobject_cast<QMenu*>(widget)) widget = widget->parentWidget();
        return widget && (widget == tab || (tab->isAncestorOf(widget) && widget->isVisibleTo(tab)));
    });
}

class Collector {
public:
    Collector(Tab* tab, const std::function<void()>& show) : m_tab(tab), m_show(show) {}

    void addPages(QTabBar* bar) {
        if (!bar->isVisibleTo(m_tab)) return;
        for (int i = 0; i < bar->count(); ++i) {
            const bool isDocument = bar->tabButton(i, QTabBar::RightSide) || bar->tabButton(i, QTabBar::LeftSide);
            if (isDocument || !bar->isTabVisible(i) || !bar->isTabEnabled(i)) continue;
            add(bar->tabText(i), QIcon(), {}, [bar = QPointer(bar), i] {
                if (bar) bar->setCurrentIndex(i);
            });
        }
    }

    void addAction(QAction* action) {
        if (action->isSeparator() || action->menu() || !action->isEnabled() || !action->isVisible()) return;
        if (!isReachable(action, m_tab)) return;
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        add(action->text(), action->icon(), keys, [action = QPointer(action)] {
            if (action) action->trigger();
        });
    }

    void addButton(QAbstractButton* button) {
        if (!button->isEnabled() || !button->isVisibleTo(m_tab) || qobject_cast<QCheckBox*>(button)) return;
        add(button->text().isEmpty() ? button->accessibleName() : button->text(), button->icon(), {}, [button = QPointer(button)] {
            if (button) button->click();
        });
    }

    QList<Command> take() const {
        QList<Command> commands;
        for (const Command& command : m_commands)
            if (m_count.value(command.title) == 1) commands.append(command);
        return commands;
    }

private:
    void add(const QString& text, const QIcon& shown, const QString& keys, const std::function<void()>& use) {
        const QString title = withoutMnemonic(text);
        if (title.isEmpty()) return;
        ++m_count[title];
        const auto run = [show = m_show, use] {
            show();
            use();
        };
        const QString detail = keys.isEmpty() ? m_tab->title() : keys;
        m_commands.append({title, detail, shown.isNull() ? m_tab->icon() : shown, run, withoutMnemonic(englishText(text))});
    }

    Tab* m_tab;
    std::function<void()> m_show;
    QList<Command> m_commands;
    QHash<QString, int> m_count;
};

// Words that mean the same to those who look for a page or an action. A name that has one of a row is found by everything.
constexpr const char* synonyms[] = {
    QT_TRANSLATE_NOOP("Synonyms", "heat map, heatmap, picture, image, matrix, compare with, difference, diff"),
    QT_TRANSLATE_NOOP("Synonyms", "distribution, histogram, density, values"),
    QT_TRANSLATE_NOOP("Synonyms", "what if, compare types, type comparison, quantization error, mixes"),
    QT_TRANSLATE_NOOP("Synonyms", "layer trend, layers, ridge, statistics over layers"),
    QT_TRANSLATE_NOOP("Synonyms", "model map, overview, outliers"),
    QT_TRANSLATE_NOOP("Synonyms", "storage, bytes, offset, layout, hex, file position"),
    QT_TRANSLATE_NOOP("Synonyms", "safety, security, scan, pickle, opcodes, disassembly, malware, code"),
    QT_TRANSLATE_NOOP("Synonyms", "metadata, keys, header, config, chat template, tokenizer"),
    QT_TRANSLATE_NOOP("Synonyms", "problems, errors, warnings, issues, damage"),
    QT_TRANSLATE_NOOP("Synonyms", "totals, sizes, parameters, types"),
    QT_TRANSLATE_NOOP("Synonyms", "npy, numpy, export, save values"),
    QT_TRANSLATE_NOOP("Synonyms", "merge, adapter, LoRA, combine, SLERP, TIES, DARE"),
    QT_TRANSLATE_NOOP("Synonyms", "quantize, quantise, shrink, compress, imatrix, Q4_K_M, convert"),
    QT_TRANSLATE_NOOP("Synonyms", "safetensors, Hugging Face folder, shards"),
    QT_TRANSLATE_NOOP("Synonyms", "memory, VRAM, RAM, fit, KV cache, context"),
    QT_TRANSLATE_NOOP("Synonyms", "chat, talk, conversation, prompt"),
    QT_TRANSLATE_NOOP("Synonyms", "browse, hub, download, Hugging Face, ModelScope"),
    QT_TRANSLATE_NOOP("Synonyms", "library, models, disk, duplicates, Ollama, LM Studio"),
    QT_TRANSLATE_NOOP("Synonyms", "settings, preferences, options, language, theme, dark"),
    QT_TRANSLATE_NOOP("Synonyms", "jobs, queue, progress, tasks"),
};

// Whether one of the phrases occurs in the name, from the beginning of a word on.
bool hasPhrase(const QString& name, const QString& phrases) {
    const auto all = phrases.split(QStringLiteral(", "));
    return std::ranges::any_of(all, [&](const QString& phrase) {
        const qsizetype at = name.indexOf(phrase, 0, Qt::CaseInsensitive);
        return at >= 0 && (at == 0 || !name[at - 1].isLetterOrNumber());
    });
}

} // namespace

QList<Command> commandsIn(Tab* tab, const QList<QAction*>& given, const std::function<void()>& show) {
    Collector collector(tab, show);
    const auto bars = tab->findChildren<QTabBar*>();
    for (QTabBar* bar : bars) collector.addPages(bar);
    const auto actions = tab->findChildren<QAction*>();
    for (QAction* action : actions)
        if (!given.contains(action)) collector.addAction(action);
    const auto buttons = tab->findChildren<QAbstractButton*>();
    for (QAbstractButton* button : buttons) collector.addButton(button);
    return collector.take();
}

QString commandSynonyms(const QString& title, const QString& english) {
    const QString name = english.isEmpty() ? title : english;
    QString words;
    for (const char* row : synonyms) {
        const QString phrases = QString::fromUtf8(row);
        if (!hasPhrase(name, phrases)) continue;
        const QString translated = QCoreApplication::translate("Synonyms", row);
        words += phrases + QStringLiteral(", ");
        if (translated != phrases) words += translated + QStringLiteral(", ");
    }
    return words;
}

} // namespace wb::ui
