// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/badge.h"

#include <QString>

namespace wb::ui {

// Whether this computer runs a model, as lists and headers say it.
QString fitWord(wb::memory::Verdict verdict); // "fits", "tight", "no"

// "Fits in main memory: with a context of 8,192 tokens it needs 5.2 GiB of 12.0 GiB."
QString fitSentence(const wb::memory::Badge& fit);

} // namespace wb::ui
