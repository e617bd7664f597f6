// SPDX-License-Identifier: MIT
#include "ui/shell/help_dialogs.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/mnemonic.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMessageBox>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace wb::ui {
namespace {

struct Help {
    Q_DECLARE_TR_FUNCTIONS(Help)
};

QTreeWidget* makeShortcutTable(const QList<QAction*>& actions, QWidget* parent) {
    auto* table = new QTreeWidget(parent);
    table->setColumnCount(2);
    table->setHeaderLabels({Help::tr("Action"), Help::tr("Shortcut")});
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->header()->setStretchLastSection(false);
    table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->setColumnWidth(1, 160);
    table->setAccessibleName(Help::tr("Keyboard shortcuts"));
    for (const QAction* action : actions) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        if (!keys.isEmpty()) new QTreeWidgetItem(table, {withoutMnemonic(action->text()), keys});
    }
    new QTreeWidgetItem(table, {Help::tr("Remove a file from the list of recent files"),
                                QKeySequence(Qt::Key_Delete).toString(QKeySequence::NativeText)});
    return table;
}

} // namespace

void showAbout(QWidget* parent) {
    const QString text = Help::tr("<h3>Weighbridge %1</h3><p>A model workbench: opens model files and shows their contents. Works "
                                  "offline.</p><p>MIT license. Made with Qt %2 (LGPL), Highway and fmt.</p>")
                             .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion()));
    auto* box = new QMessageBox(QMessageBox::NoIcon, Help::tr("About Weighbridge"), text, QMessageBox::Close, parent);
    box->setIconPixmap(icon(QStringLiteral("weighbridge")).pixmap(64, 64));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void showShortcuts(const QList<QAction*>& actions, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(Help::tr("Keyboard shortcuts"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(makeShortcutTable(actions, dialog), 1);
    layout->addWidget(buttons);
    dialog->resize(520, 460);
    dialog->open();
}

} // namespace wb::ui
