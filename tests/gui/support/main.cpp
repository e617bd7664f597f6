// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QLocale>

#include <memory>
#include <vector>

namespace wb::test {
namespace {

std::vector<std::function<QObject*()>>& tests() {
    static std::vector<std::function<QObject*()>> all;
    return all;
}

} // namespace

bool registerGuiTest(std::function<QObject*()> make) {
    tests().push_back(std::move(make));
    return true;
}

} // namespace wb::test

int main(int argc, char** argv) {
    QLocale::setDefault(QLocale(QLocale::English));
    QApplication application(argc, argv);
    wb::ui::applyTheme(wb::ui::Theme::Light);
    int failures = 0;
    for (const auto& make : wb::test::tests()) {
        const std::unique_ptr<QObject> test(make());
        failures += QTest::qExec(test.get(), argc, argv);
    }
    return failures == 0 ? 0 : 1;
}
