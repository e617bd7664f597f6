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
#include <QSaveFile>
#include <QSvgGenerator>

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

// Lines and texts stay lines and texts; what a GPU has drawn is a picture inside.
bool saveSvg(QWidget* plot, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setSize(plot->size());
    svg.setViewBox(plot->rect());
    svg.setResolution(plot->logicalDpiX());
    svg.setTitle(plot->accessibleName());
    svg.setDescription(plot->accessibleDescription());
    plot->render(&svg);
    return file.commit();
}

bool savePng(const QPixmap& picture, const QString& path) {
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && picture.save(&file, "PNG") && file.commit();
}

void savePicture(QWidget* plot, const Services& services) {
    const QString path = askFrom(plot, [](QWidget* window) {
        return QFileDialog::getSaveFileName(window, PictureActions::tr("Save picture"), QStringLiteral("plot.png"),
                                            PictureActions::tr("Image (*.png);;Vector image (*.svg)"));
    });
    if (path.isEmpty()) return; // or the plot is gone
    if (const auto free = services.openModels->guard().check(fsPath(path)); !free) return warn(plot, translated(free.error()));
    if (!savePlot(plot, path)) warn(plot, PictureActions::tr("Could not save the picture to %1.").arg(path));
}

} // namespace

bool savePlot(QWidget* plot, const QString& path) {
    const bool isSvg = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
    return isSvg ? saveSvg(plot, path) : savePng(plot->grab(), path);
}

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
