// SPDX-License-Identifier: MIT
#include "core/io/file_roles.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/widgets/paths.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace wb::test {

// What the tabs share.
class ServicesTest : public QObject {
    Q_OBJECT

private:
    static QString write(const QTemporaryDir& folder, const char* name) {
        QFile file(folder.filePath(QLatin1String(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(name);
        return file.fileName();
    }

private Q_SLOTS:
    void settingsAreReportedWhereTheyChange() {
        TestServices services;
        QSignalSpy changed(&services.work, &ui::WorkSettings::changed);
        services.work.set({.threads = 1});
        QCOMPARE(changed.size(), 0);
        const DeviceRef device{DeviceRef::Kind::Id, 0, "aa"};
        services.work.set({.threads = 3, .device = device, .cacheFolder = QStringLiteral("/cache")});
        QCOMPARE(changed.size(), 1);
        QCOMPARE(services.settings->threads(), 3U);
        QVERIFY(services.settings->device() == device);
        QCOMPARE(services.settings->cacheFolder(), QStringLiteral("/cache"));
    }

    void modelsAreOpenByTab() {
        TestServices services;
        QSignalSpy changed(&services.models, &ui::OpenModels::changed);
        services.models.set(QStringLiteral("inspect"), {{QStringLiteral("/b"), nullptr}, {QStringLiteral("/a"), nullptr}});
        services.models.set(QStringLiteral("chat"), {{QStringLiteral("/c"), nullptr}});
        services.models.set(QStringLiteral("chat"), {{QStringLiteral("/c"), nullptr}});
        QCOMPARE(changed.size(), 2);
        QCOMPARE(services.models.paths(QStringLiteral("inspect")), QStringList({QStringLiteral("/b"), QStringLiteral("/a")}));
        QVERIFY(services.models.paths(QStringLiteral("memory")).isEmpty());
    }

    void noOutputReplacesAFileOfAnOpenModel() {
        const QTemporaryDir folder;
        const QString first = write(folder, "model-00001-of-00002.gguf"), second = write(folder, "model-00002-of-00002.gguf"),
                      other = write(folder, "other.gguf"), list = write(folder, "list.csv");
        std::filesystem::create_hard_link(ui::fsPath(second), ui::fsPath(folder.filePath(QStringLiteral("hard"))));
        std::filesystem::create_symlink(ui::fsPath(other), ui::fsPath(folder.filePath(QStringLiteral("soft"))));
        auto model = std::make_shared<Model>();
        model->folder = ui::fsPath(folder.path());
        for (const char* name : {"model-00001-of-00002.gguf", "model-00002-of-00002.gguf"})
            model->files.push_back(
                {name, 0, (*io::FileSource::open(ui::fsPath(folder.filePath(QLatin1String(name)))))->identity(), nullptr});
        TestServices services;
        services.models.set(QStringLiteral("inspect"), {{first, model}});
        services.models.set(QStringLiteral("chat"), {{other, nullptr}});
        const ui::OutputGuard guard = services.models.guard();
        for (const char* name : {"model-00001-of-00002.gguf", "model-00002-of-00002.gguf", "hard", "other.gguf", "soft"}) {
            const auto checked = guard.check(ui::fsPath(folder.filePath(QLatin1String(name))));
            QVERIFY2(!checked && checked.error().reason == io::outputIsInput, name);
        }
        QVERIFY(guard.check(ui::fsPath(list)));
        QVERIFY(guard.check(ui::fsPath(folder.filePath(QStringLiteral("new.csv")))));
        services.models.set(QStringLiteral("chat"), {});
        QVERIFY2(services.models.guard().check(ui::fsPath(other)), "it was closed");
    }
};

WB_GUI_TEST(ServicesTest)

} // namespace wb::test

#include "services_test.moc"
