// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/io/byte_source.h"

#include <string>

namespace wb::io {

// The name that git gives a file's content: SHA-1 of "blob <length>", a NUL and the bytes (git/git:
// Documentation/gitformat-pack.txt), as 40 small hexadecimal digits. Hubs name small files by it. It tells damage, not forgery.
// Progress counts bytes.
Result<std::string> gitBlobName(const ByteSource& source, const Progress& progress);

} // namespace wb::io
