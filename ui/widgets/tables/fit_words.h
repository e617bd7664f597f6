// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/graph/run_check.h"

#include <QString>

namespace wb::ui {

// Whether this program runs a model on this computer: "fits", "tight", "no", "damaged", "not supported".
QString runWord(const wb::infer::RunCheck& check);
QString runSentence(const wb::infer::RunCheck& check); // the reason, and how it fits in memory

// Whether memory alone suffices, in the words of lists and headers.
QString fitWord(wb::memory::Verdict verdict); // "fits", "tight", "no"

// "Fits in RAM: with a context of 8,192 tokens it needs 5.2 GiB of 12.0 GiB."
QString fitSentence(const wb::memory::Badge& fit);

} // namespace wb::ui
