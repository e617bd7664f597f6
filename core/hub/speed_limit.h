// SPDX-License-Identifier: MIT
#pragma once

#include "core/net/transport.h"

#include <mutex>

namespace wb::hub {

// So many bytes per second for everyone who asks it: the files of one download, or all downloads together. Thread-safe; the speed
// may be changed while bytes flow.
class SpeedLimit {
public:
    explicit SpeedLimit(std::uint64_t bytesPerSecond = 0) : m_bytesPerSecond(bytesPerSecond) {} // 0: as fast as it comes

    void set(std::uint64_t bytesPerSecond);
    std::uint64_t bytesPerSecond() const;

    // Counts bytes that came and says from when on the next may be taken. Unused allowance does not accumulate.
    net::Time take(net::Time now, std::uint64_t bytes);

private:
    mutable std::mutex m_mutex;
    std::uint64_t m_bytesPerSecond;
    net::Time m_allowedAt{};
};

} // namespace wb::hub
