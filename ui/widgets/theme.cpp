// SPDX-License-Identifier: MIT
#include "ui/widgets/theme.h"

#include "ui/widgets/tables/edge_mark.h"
#include "ui/widgets/font_stems.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/title_bars.h"

#include <QApplication>
#include <QFile>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTreeView>

namespace wb::ui {
namespace {

struct Colors {
    const char *window, *surface, *alternate, *text, *muted, *disabled, *border, *button, *accent, *onAccent, *accentSoft;
    const char *tooltip, *onTooltip, *good, *warning, *error, *codeKeyword, *codeString, *codeNumber;
};

// Text on its background has a contrast of at least 4.5 : 1 (WCAG 2.1, level AA) in both.
constexpr Colors lightColors = {"#f5f6f8", "#ffffff", "#f6f8fb", "#1a1f29", "#5a6372", "#9aa2af", "#dce1e8",
                                "#ffffff", "#10668a", "#ffffff", "#ddeef5", "#1f2530", "#f3f5f8", "#1a7a3c",
                                "#8a5a00", "#b3261e", "#7a2e9d", "#1b6430", "#8a4500"};
constexpr Colors darkColors = {"#15181d", "#1d2127", "#21262d", "#e5e9ef", "#9ca6b5", "#626b78", "#323944",
                               "#272d36", "#62bfe3", "#06161e", "#173542", "#343c48", "#f0f3f7", "#6fd08f",
                               "#f0c04f", "#ff8f85", "#d6a8f0", "#8fd6a4", "#f0c04f"};

// Whose focus the style sheet shows, by the color of the edge or of the ground. Fusion's frame would are on top of the text.
bool showsFocusItself(const QWidget* widget) {
    return qobject_cast<const QTabBar*>(widget) || qobject_cast<const QPushButton*>(widget) ||
           qobject_cast<const QToolButton*>(widget);
}

// Lists of combo boxes and completions are as wide as their words.
bool hasColumns(const QWidget* widget) { return qobject_cast<const QTableView*>(widget) || qobject_cast<const QTreeView*>(widget); }

// Fusion draws the frames of check boxes and radio buttons darker than the window, which are invisible on a dark one.
class FusionWithFrames : public QProxyStyle {
public:
    FusionWithFrames() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    using QProxyStyle::polish;
    void polish(QWidget* widget) override {
        QProxyStyle::polish(widget);
        if (hasColumns(widget) && widget->objectName() != QLatin1String("frozenColumn"))
            markHiddenColumns(static_cast<QAbstractItemView*>(widget));
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        if (element == PE_FrameFocusRect && showsFocusItself(widget)) return;
        const auto* const button = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (!button || (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton))
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
        QStyleOptionButton framed = *button;
        framed.palette.setColor(QPalette::Window, themeColors().muted);
        QProxyStyle::drawPrimitive(element, &framed, painter, widget);
    }
};

const Colors& colorsFromDark(bool dark) { return dark ? darkColors : lightColors; }

void setAll(QPalette& palette, QPalette::ColorRole role, const char* color) { palette.setColor(role, QColor(color)); }

void setDisabled(QPalette& palette, const Colors& colors) {
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText})
        palette.setColor(QPalette::Disabled, role, QColor(colors.disabled));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(colors.border));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, QColor(colors.disabled));
}

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

bool isDesktopDark() {
#ifdef Q_OS_WIN
    // Qt's palette there is light until Qt 6.5.
    const QSettings desktop(QStringLiteral("HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize"),
                            QSettings::NativeFormat);
    return desktop.value(QStringLiteral("AppsUseLightTheme"), 1).toInt() == 0;
#else
    static const bool dark = isDark(QGuiApplication::palette()); // asked before our palette replaces the desktop's
    return dark;
#endif
}

// The style sheet names colors as @name, so that one file serves both themes.
QString styleSheet(const Colors& colors) {
    QFile file(QStringLiteral(":/themes/style.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char*, const char*> names[] = {
        {"@window", colors.window},
        {"@surface", colors.surface},
        {"@alternate", colors.alternate},
        {"@text", colors.text},
        {"@muted", colors.muted},
        {"@disabled", colors.disabled},
        {"@border", colors.border},
        {"@button", colors.button},
        {"@accent-soft", colors.accentSoft},
        {"@on-accent", colors.onAccent},
        {"@accent", colors.accent},
        {"@tooltip", colors.tooltip},
        {"@on-tooltip", colors.onTooltip},
        {"@error", colors.error},
    };
    for (const auto& [name, color] : names) sheet.replace(QLatin1String(name), QLatin1String(color));
    return sheet;
}

} // namespace

QPalette themePalette(bool dark) {
    const Colors& colors = colorsFromDark(dark);
    QPalette palette;
    setAll(palette, QPalette::Window, colors.window);
    setAll(palette, QPalette::WindowText, colors.text);
    setAll(palette, QPalette::Base, colors.surface);
    setAll(palette, QPalette::AlternateBase, colors.alternate);
    setAll(palette, QPalette::Text, colors.text);
    setAll(palette, QPalette::Button, colors.button);
    setAll(palette, QPalette::ButtonText, colors.text);
    setAll(palette, QPalette::BrightText, colors.error);
    setAll(palette, QPalette::Highlight, colors.accent);
    setAll(palette, QPalette::HighlightedText, colors.onAccent);
    setAll(palette, QPalette::Link, colors.accent);
    setAll(palette, QPalette::LinkVisited, colors.accent);
    setAll(palette, QPalette::PlaceholderText, colors.muted);
    setAll(palette, QPalette::ToolTipBase, colors.tooltip);
    setAll(palette, QPalette::ToolTipText, colors.onTooltip);
    setAll(palette, QPalette::Mid, colors.border);
    setDisabled(palette, colors);
    return palette;
}

ThemeColors themeColors(bool dark) {
    const Colors& colors = colorsFromDark(dark);
    return {QColor(colors.muted),      QColor(colors.border),    QColor(colors.surface), QColor(colors.accentSoft),
            QColor(colors.good),       QColor(colors.warning),   QColor(colors.error),   QColor(colors.codeKeyword),
            QColor(colors.codeString), QColor(colors.codeNumber)};
}

ThemeColors themeColors() { return themeColors(isDarkTheme()); }

bool isDarkTheme() { return isDark(QGuiApplication::palette()); }

void setFontSize(int points) {
    if (points <= 0) return;
    QFont font = QApplication::font();
    font.setPointSize(points);
    QApplication::setFont(font);
}

void applyTheme(Theme theme) {
    const bool dark = theme == Theme::Dark || (theme == Theme::System && isDesktopDark());
    static bool styled = false;
    if (!std::exchange(styled, true)) {
        keepStemsEven();
        QApplication::setStyle(new FusionWithFrames);
        QApplication::setFont(withChinese(QApplication::font()));
    }
    QApplication::setPalette(themePalette(dark));
    qApp->setStyleSheet(styleSheet(colorsFromDark(dark)));
    setTitleBars(dark);
}

} // namespace wb::ui
