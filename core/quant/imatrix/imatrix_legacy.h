// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"
#include "core/quant/imatrix/imatrix.h"

namespace wb::quant {

// The old binary form: a count, then entries of name, calls and values, then optionally the chunk count and the data set's name.
// The values are not looked at.
Result<Imatrix> readLegacyImatrix(const io::ByteSource& source, const std::stop_token& stop);

} // namespace wb::quant
