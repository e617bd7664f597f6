// SPDX-License-Identifier: MIT
// A QAbstractItemModelTester in this mode fails the test that runs.
#pragma once

#include <QAbstractItemModelTester>

namespace wb::test {

inline constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

} // namespace wb::test
