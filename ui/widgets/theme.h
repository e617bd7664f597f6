// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QPalette>

namespace wb::ui {

enum class Theme { System, Light, Dark };

// The colors that QPalette has no role for. Views that paint themselves ask for them at paint time.
struct ThemeColors {
    QColor muted;      // secondary text
    QColor border;     // lines between areas
    QColor surface;    // cards, fields and tables
    QColor accentSoft; // after the chosen place of the rail, or under a drop
    QColor good, warning, error;
    QColor codeKeyword, codeString, codeNumber; // on accentSoft; comments are muted
};

QPalette themePalette(bool dark);
ThemeColors themeColors(bool dark);

// The colors of the theme in use now.
ThemeColors themeColors();
bool isDarkTheme();

// The size of the program's font in points; 0: that of the system. To be called before the first widget is made.
void setFontSize(int points);

// Puts Fusion, our palette and our style sheet onto the application; every widget repaints. `System` follows what the desktop's
// palette was when the program started.
void applyTheme(Theme theme);

} // namespace wb::ui
