// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace wb {

// With WEIGHBRIDGE_STARTUP_TRACE=1 in the environment, prints "first paint: 123 ms" to stderr once the window has painted itself
// for the first time, counted from the start of the process's main().
void traceFirstPaint(QWidget* window);

} // namespace wb
