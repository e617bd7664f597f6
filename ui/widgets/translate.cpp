// SPDX-License-Identifier: MIT
#include "ui/widgets/translate.h"

#include <QEvent>

namespace wb::ui {
namespace {

class LanguageWatcher : public QObject {
public:
    LanguageWatcher(QWidget* widget, std::function<void()> apply) : QObject(widget), m_apply(std::move(apply)) {
        widget->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::LanguageChange) m_apply();
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> m_apply;
};

} // namespace

void keepTranslated(QWidget* widget, std::function<void()> apply) {
    apply();
    new LanguageWatcher(widget, std::move(apply));
}

} // namespace wb::ui
