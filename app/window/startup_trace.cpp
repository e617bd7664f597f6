// SPDX-License-Identifier: MIT
#include "app/window/startup_trace.h"

#include <QEvent>
#include <QTimer>
#include <QWidget>

#include <chrono>
#include <cstdio>

namespace wb {
namespace {

const auto processStart = std::chrono::steady_clock::now(); // static initialization is as near to the start as we get

class FirstPaint : public QObject {
public:
    explicit FirstPaint(QWidget* window) : QObject(window) { window->installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Paint) return false;
        watched->removeEventFilter(this);
        QTimer::singleShot(0, this, &FirstPaint::print); // after the picture has gone to the screen
        return false;
    }

private:
    void print() {
        const auto passed = std::chrono::steady_clock::now() - processStart;
        std::fprintf(stderr, "first paint: %d ms\n",
                     static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count()));
        deleteLater();
    }
};

} // namespace

void traceFirstPaint(QWidget* window) {
    if (qEnvironmentVariableIntValue("WEIGHBRIDGE_STARTUP_TRACE") != 0) new FirstPaint(window);
}

} // namespace wb
