// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/job.h"
#include "ui/widgets/sentence.h"

#include <QString>

namespace wb::ui::convert {

using wb::convert::JobPtr;

QString heading(const wb::convert::Job& job);   // of the page that shows its run, translated
Sentence jobTitle(const wb::convert::Job& job); // on the Jobs page

} // namespace wb::ui::convert
