// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace wb::ui::browse {

// "4.52 GB": downloads are counted in decimal units, as hubs and disks are.
QString decimalBytes(std::uint64_t bytes);

} // namespace wb::ui::browse
