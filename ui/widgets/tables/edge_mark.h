// SPDX-License-Identifier: MIT
#pragma once

class QAbstractItemView;

namespace wb::ui {

// Marks the right edge of a view that hides columns to the right of it: the last visible one fades there, so that a number that is
// cut does not look whole. Every table and tree has the mark (applyTheme).
void markHiddenColumns(QAbstractItemView* view);

} // namespace wb::ui
