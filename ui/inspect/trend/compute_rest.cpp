// SPDX-License-Identifier: MIT
#include "ui/inspect/trend/compute_rest.h"

#include "ui/widgets/icons.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>

namespace wb::ui::inspect {
namespace {

// Where its text does not fit it is the icon alone, which the tooltip explains.
class RestButton : public QPushButton {
public:
    using QPushButton::QPushButton;

    QSize minimumSizeHint() const override { return {2 * sizeHint().height(), sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QStyleOptionButton option;
        initStyleOption(&option);
        if (width() < sizeHint().width()) option.text.clear();
        QStylePainter(this).drawControl(QStyle::CE_PushButton, option);
    }
};

} // namespace

QPushButton* makeComputeRest(QWidget* parent) {
    auto* button =
        new RestButton(icon(QStringLiteral("sigma")), QCoreApplication::translate("ComputeRest", "Compute remaining"), parent);
    button->setObjectName(QStringLiteral("computeRest"));
    button->setToolTip(QCoreApplication::translate("ComputeRest", "Compute statistics for all tensors that have none yet"));
    return button;
}

} // namespace wb::ui::inspect
