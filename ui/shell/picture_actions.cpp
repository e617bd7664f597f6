// SPDX-License-Identifier: MIT
#include "ui/shell/picture_actions.h"

#include "core/model/output_check.h"
#include "ui/shell/services.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/translate.h"
#include "ui/widgets/translated.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMessageBox>

namespace wb::ui {
namespace {

struct PictureActions {
    Q_DECLARE_TR_FUNCTIONS(PictureActions)
};

void warn(QWidget* plot, const QString& text) {
    auto* box = new QMessageBox(QMessageBox::Warning, PictureActions::tr("Save picture"), text, QMessageBox::Ok, plot->window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->open();
}

void savePicture(QWidget* plot, const Services& services) {
    const QPixmap picture = plot->grab();
    const QString path = askFrom(plot, [](QWidget* window) {
        return QFileDialog::getSaveFileName(window, PictureActions::tr("Save picture"), QStringLiteral("plot.png"),
                                            PictureActions::tr("Image (*.png)"));
    });
    if (path.isEmpty()) return; // or the plot is gone
    if (const auto free = services.openModels->guard().check(fsPath(path)); !free) return warn(plot, translated(free.error()));
    if (!picture.save(path, "PNG")) warn(plot, PictureActions::tr("Could not save the picture to %1.").arg(path));
}

} // namespace

void addPictureActions(QWidget* plot, const Services& services) {
    auto* copy = new QAction(icon(QStringLiteral("copy")), {}, plot);
    copy->setObjectName(QStringLiteral("copyPicture"));
    QObject::connect(copy, &QAction::triggered, plot, [plot] { QGuiApplication::clipboard()->setPixmap(plot->grab()); });
    auto* save = new QAction(icon(QStringLiteral("export")), {}, plot);
    save->setObjectName(QStringLiteral("savePicture"));
    QObject::connect(save, &QAction::triggered, plot, [plot, &services] { savePicture(plot, services); });
    keepTranslated(plot, [copy, save] {
        copy->setText(PictureActions::tr("Copy picture"));
        save->setText(PictureActions::tr("Save picture…"));
    });
    plot->addActions({copy, save});
    showActionsOnRightClick(plot);
}

} // namespace wb::ui
