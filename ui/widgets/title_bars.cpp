// SPDX-License-Identifier: MIT
#include "ui/widgets/title_bars.h"

#include <QtGlobal>

#ifdef Q_OS_WIN
#include <QApplication>
#include <QEvent>
#include <QWidget>

#include <windows.h>

#include <dwmapi.h>
#endif

namespace wb::ui {

#ifdef Q_OS_WIN
namespace {

// DWMWA_USE_IMMERSIVE_DARK_MODE, which older headers lack; a system that does not know it refuses it.
constexpr DWORD immersiveDarkMode = 20;

class TitleBars : public QObject {
public:
    explicit TitleBars(QApplication* application) : QObject(application) { application->installEventFilter(this); }

    void setDark(bool dark) {
        m_isDark = dark;
        for (const QWidget* window : QApplication::topLevelWidgets()) color(*window);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::WinIdChange && watched->isWidgetType()) color(*static_cast<const QWidget*>(watched));
        return false;
    }

private:
    void color(const QWidget& window) const {
        if (!window.isWindow() || window.internalWinId() == 0) return;
        const BOOL isDark = m_isDark;
        ::DwmSetWindowAttribute(reinterpret_cast<HWND>(window.internalWinId()), immersiveDarkMode, &isDark, sizeof isDark);
    }

    bool m_isDark = false;
};

} // namespace

void setTitleBars(bool dark) {
    static auto* const bars = new TitleBars(qApp); // lives as long as the application
    bars->setDark(dark);
}
#else
void setTitleBars(bool) {}
#endif

} // namespace wb::ui
