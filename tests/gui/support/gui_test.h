// SPDX-License-Identifier: MIT
#pragma once

#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <functional>

namespace wb::test {

// Adds a test class to the program; `make` gives a fresh object.
bool registerGuiTest(std::function<QObject*()> make);

// Lets Qt's loop turn `turns` times: what is posted, laid out or asked for with a timer of 0 happens, however slow the machine is.
inline void turnLoop(int turns = 20) {
    for (; turns > 0; --turns) {
        QEventLoop loop;
        QTimer::singleShot(0, &loop, &QEventLoop::quit);
        loop.exec();
    }
}

} // namespace wb::test

// Stands once behind each test class; all classes of a folder run in one program.
#define WB_GUI_TEST(Class) static const bool registered##Class = wb::test::registerGuiTest([] { return new Class; });

// Leaves the test with a message that names the path when reference data are not there.
#define WB_NEED_SHARED_QT(relative)                                                                                                \
    if (!QFile::exists(QStringLiteral(WEIGHBRIDGE_SHARED "/") + QStringLiteral(relative)))                                         \
    QSKIP("reference data are not here: " WEIGHBRIDGE_SHARED "/" relative)
