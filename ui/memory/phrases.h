// SPDX-License-Identifier: MIT
#pragma once

#include "core/memory/cards/fit.h"
#include "ui/memory/rows_model.h"

namespace wb::ui::memory {

// Sentences and cells that several pages of the tab show.
QString shown(const wb::memory::Phrase& phrase);
QString partFormula(const wb::memory::MemoryPart& part);
QString verdictText(wb::memory::Verdict verdict);
QString memoryName(const wb::memory::Memory& memory); // RAM has no separate name

Cell memoryCell(quint64 bytes); // in binary units
Cell fileCell(quint64 bytes);   // in decimal units, as disks count
Cell numberCell(std::optional<std::uint64_t> number);

} // namespace wb::ui::memory
