// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/backend.h"
#include "gpu/device/host_upload.h"
#include "gpu/quant/kernels.h"
#include "gpu/quant/redo.h"

#include <condition_variable>
#include <map>
#include <mutex>

namespace wb::gpu {

// Runs quantizing kernels: buffers, tables and submissions. Each concurrent caller has a set of buffers, so that one fills or
// empties its set while the device works on another's. The sets are few, and fewer where the device has no memory for more; callers
// block until a set is free. On a device that flushes subnormal numbers the shaders mark the blocks that it may get wrong, and the
// caller's thread quantizes those again. Thread-safe.
class QuantEngine {
public:
    explicit QuantEngine(DevicePtr device);

    // Whether one submission can hold a row; a longer one does not fit the device's buffer views or a dispatch.
    bool fits(std::uint64_t columns) const { return columns <= elementsPerRun(); }

    // How many blocks were quantized again by the CPU.
    Result<std::uint64_t> run(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out);

    // The device's part of run(): the blocks that it marked are to be done again.
    Result<BlockNumbers> runOnDevice(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out);

    // Decodes, quantizes and compares without leaving the device. Only stored types that the self-test can make rows of.
    bool canRunStored(const quant::StoredRows& rows) const;
    struct StoredOutcome {
        quant::ErrorSums sums;
        std::uint64_t redone = 0; // blocks, as of run()
    };
    Result<StoredOutcome> runStored(const QuantKernel& kernel, const quant::StoredRows& rows, std::span<std::byte> out);

    const DeviceInfo& info() const { return m_device->info(); }

private:
    struct Buffers {
        HostUpload source; // rows, then weights
        BufferPtr means, result, resultReadback;
        BufferPtr values, decoded, tiles, tileReadback; // of runStored
        BufferPtr marks, markReadback;                  // where subnormal numbers are flushed
    };
    // The bindings of a quantizing kernel, in order.
    struct Views {
        View values, weights, result, tables;
        View marks; // a bit a block; empty on a device that needs none
    };

    // A set of buffers for as long as it lives.
    class Lease {
    public:
        explicit Lease(QuantEngine& engine);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Buffers& operator*() { return m_buffers; }
        Buffers* operator->() { return &m_buffers; }

    private:
        QuantEngine& m_engine;
        Buffers m_buffers;
    };

    Result<void> reserve(Buffers& buffers, std::uint64_t sourceBytes, std::uint64_t resultBytes);
    Result<BufferPtr> table(const QuantKernel& kernel);
    Result<BufferPtr> decodeTable();
    Result<KernelPtr> decoder(Dtype dtype);
    std::uint64_t elementsPerRun() const; // as many as the device binds and dispatches at once
    std::uint64_t rowsPerRun(std::uint64_t columns) const;
    Result<View> reserveMarks(Buffers& buffers, std::uint64_t blocks);
    Result<View> recordMeans(Recorder& recorder, Buffers& buffers, const Views& views, std::uint64_t columns,
                             std::uint64_t blocksPerRow);
    Result<void> record(Recorder& recorder, const QuantKernel& kernel, bool weighted, const Views& views, Buffers& buffers,
                        std::uint64_t columns);
    template <typename Work>
    auto withFewerBuffersIfFull(Work work) -> decltype(work());
    bool reduceBufferSets();
    Result<BlockNumbers> runRows(const QuantKernel& kernel, const quant::Rows& rows, std::span<std::byte> out);
    Result<StoredOutcome> runStoredRows(const QuantKernel& kernel, const quant::StoredRows& rows, std::uint64_t elements,
                                        std::span<std::byte> out);

    DevicePtr m_device;
    std::mutex m_mutex;
    std::condition_variable m_returned;
    std::vector<Buffers> m_free;
    unsigned m_leased = 0;
    unsigned m_maxSets;
    std::map<Dtype, BufferPtr> m_tables;
    BufferPtr m_decodeTable;
};

} // namespace wb::gpu
