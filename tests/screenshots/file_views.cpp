// SPDX-License-Identifier: MIT
#include "tests/screenshots/file_examples.h"
#include "tests/screenshots/steps.h"
#include "tests/screenshots/views.h"
#include "ui/chat/chat_tab.h"
#include "ui/convert/convert_tab.h"
#include "ui/inspect/inspect_actions.h"
#include "ui/inspect/inspect_tab.h"

#include <QAbstractButton>
#include <QDir>
#include <QFileInfo>

namespace wb::screenshots {
namespace {

using ui::inspect::ModelPage;

// The file itself, or a copy in `home` that ends too soon.
QString filePath(const FileExample& example, const QString& shared, const QString& home) {
    const QString whole = QDir(shared).filePath(QLatin1String(example.path));
    if (example.keptPercent >= 100) return whole;
    const QFileInfo file(whole);
    const QString path = QDir(home).filePath(QStringLiteral("cut-%1.%2").arg(QLatin1String(example.name), file.suffix()));
    if (QFile::exists(path)) return path;
    if (!QFile::copy(whole, path)) return whole;
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    QFile::resize(path, file.size() * example.keptPercent / 100);
    return path;
}

void chooseTensor(ModelPage& page, const QString& name) {
    page.tensors()->search(name);
    const auto found = page.tensors()->shownTensors();
    page.tensors()->search(QString());
    const auto& all = page.tensors()->shownTensors();
    if (!found.empty()) page.tensors()->chooseTensor(found.front());
    else if (!all.empty()) page.tensors()->chooseTensor(all.front());
}

void showExample(ui::InspectTab& tab, const FileExample& example) {
    ModelPage* page = tab.currentPage();
    if (!page) return; // it was refused, and the tab says why
    page->tensors()->setShown(example.shown);
    chooseTensor(*page, QLatin1String(example.tensor));
    page->showDetail(example.detail);
    page->showSide(example.side);
}

void disassemble(ui::InspectTab& tab, const FileExample& example) {
    if (!example.disassembled || !tab.currentPage()) return;
    if (auto* list = tab.currentPage()->findChild<QAbstractButton*>(QStringLiteral("showOpcodes"))) list->click();
}

void measure(ui::InspectTab& tab, const FileExample& example) {
    if (!example.measured || !tab.currentPage()) return;
    if (auto* all = tab.currentPage()->findChild<QAbstractButton*>(QStringLiteral("seriesAll"))) all->click();
}

void verify(ui::InspectTab& tab, const FileExample& example) {
    if (!example.verified || !tab.currentPage()) return;
    if (auto* start = tab.currentPage()->findChild<QAbstractButton*>(QStringLiteral("integrityStart"))) start->click();
}

void closePage(ui::InspectTab& tab) {
    if (auto* actions = tab.findChild<ui::inspect::InspectActions*>()) actions->close->trigger();
}

} // namespace

QList<View> fileViews(ui::InspectTab& tab, const std::function<bool()>& isIdle, const QString& shared, const QString& home) {
    QList<View> views;
    for (const FileExample& example : fileExamples()) {
        if (!QFileInfo::exists(QDir(shared).filePath(QLatin1String(example.path)))) continue;
        const auto steps = inOrder({{[&tab, &example, shared, home] { tab.openPaths({filePath(example, shared, home)}); }, isIdle},
                                    {[&tab, &example] { showExample(tab, example); }, isIdle},
                                    {[&tab, &example] { disassemble(tab, example); }, isIdle},
                                    {[&tab, &example] { measure(tab, example); }, isIdle},
                                    {[&tab, &example] { verify(tab, example); }, isIdle}});
        views.append({QStringLiteral("files-%1").arg(QLatin1String(example.name)), [] {}, steps, [&tab] { closePage(tab); }});
    }
    return views;
}

QList<View> questionViews(ui::ConvertTab& convert, ui::ChatTab& chat, bool forChat, const QString& shared) {
    QList<View> views;
    for (const QuestionExample& example : questionExamples()) {
        const QString path = QDir(shared).filePath(QLatin1String(example.path));
        if (example.forChat != forChat || !QFileInfo::exists(path)) continue;
        ui::Tab& tab = forChat ? static_cast<ui::Tab&>(chat) : convert;
        views.append({QStringLiteral("question-%1").arg(QLatin1String(example.name)),
                      [&tab, path] { tab.openPaths({path}); },
                      {},
                      {},
                      true});
    }
    return views;
}

} // namespace wb::screenshots
