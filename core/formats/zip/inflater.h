// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <memory>
#include <zlib.h>

// Inside the room: zlib's state for the raw deflate of archives.
namespace wb::zip {

struct EndInflate {
    void operator()(z_stream* stream) const {
        ::inflateEnd(stream);
        delete stream;
    }
};
using Inflater = std::unique_ptr<z_stream, EndInflate>;

inline Result<Inflater> makeInflater() {
    Inflater inflater(new z_stream{});
    constexpr int rawDeflate = -15; // without the header and checksum of zlib
    if (::inflateInit2(inflater.get(), rawDeflate) != Z_OK) return std::unexpected(outOfMemory());
    return inflater;
}

} // namespace wb::zip
