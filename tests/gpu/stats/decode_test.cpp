// SPDX-License-Identifier: MIT
#include "core/tensor/decode.h"
#include "gpu/decode/tables.h"
#include "gpu/device/recorder.h"
#include "gpu/shaders/stats_decode.spv.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <random>

// gpu/shaders/decode.glsl against the readable decoders, bit for bit, NaN payloads included.
namespace wb::gpu {
namespace {

std::vector<Dtype> decodedTypes() {
    std::vector<Dtype> types;
    for (const DtypeInfo& type : allDtypes())
        if (canDecode(type.dtype)) types.push_back(type.dtype);
    return types;
}

// Random codes; every seventh block is made of bytes with which scales become zero, subnormal, infinite or NaN.
std::vector<std::byte> typeBlocks(const DtypeInfo& type, std::size_t blocks) {
    constexpr unsigned special[] = {0x00, 0x01, 0x7C, 0x80, 0xFC, 0xFF};
    std::mt19937 random(5);
    std::vector<std::byte> bytes(blocks * type.blockBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(i / type.blockBytes % 7 == 0 ? special[random() % std::size(special)] : random());
    return bytes;
}

class Decoder : public test::GpuTest, public testing::WithParamInterface<Dtype> {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        static DevicePtr kept; // opening it anew for every type would take longer than the test
        if (device) kept = device;
    }

    Result<std::vector<std::uint32_t>> decodeOnDevice(Dtype dtype, std::span<const std::byte> bytes, std::size_t count) {
        const std::vector<std::uint32_t>& words = decodeTables();
        WB_TRY_ASSIGN(const BufferPtr stored, device->buffer(bytes.size(), Memory::Upload));
        WB_TRY_ASSIGN(const BufferPtr tables, device->buffer(words.size() * 4, Memory::Upload));
        WB_TRY_ASSIGN(const BufferPtr values, device->buffer(count * 4, Memory::Readback));
        std::ranges::copy(bytes, stored->map<std::byte>().begin());
        std::ranges::copy(words, tables->map<std::uint32_t>().begin());
        WB_TRY_ASSIGN(const KernelPtr kernel,
                      device->kernel({"stats_decode", shaders::stats_decode, 3, 4, {static_cast<std::uint32_t>(dtype)}}));
        Recorder recorder(device);
        recorder.dispatch(kernel, {reads(stored->view()), reads(tables->view()), writes(values->view())},
                          static_cast<std::uint32_t>(count), {static_cast<std::uint32_t>((count + 127) / 128)});
        WB_TRY_ASSIGN(const Ticket ticket, device->submit(std::move(recorder)));
        WB_TRY(ticket.wait());
        const auto mapped = values->map<std::uint32_t>().first(count);
        return std::vector<std::uint32_t>(mapped.begin(), mapped.end());
    }
};

TEST_P(Decoder, GivesTheBitsOfTheReference) {
    const DtypeInfo& type = info(GetParam());
    const std::size_t blocks = 1400 / type.blockElements + 700;
    const auto bytes = typeBlocks(type, blocks);
    std::vector<float> expected(blocks * type.blockElements);
    scalar::decode(type.dtype, bytes, expected);
    std::vector<std::uint32_t> bits(expected.size());
    std::memcpy(bits.data(), expected.data(), bits.size() * 4);
    const auto decoded = decodeOnDevice(type.dtype, bytes, expected.size());
    ASSERT_TRUE(decoded) << decoded.error().message();
    const auto at = std::ranges::mismatch(*decoded, bits).in1 - decoded->begin();
    ASSERT_EQ(static_cast<std::size_t>(at), bits.size())
        << std::hex << (*decoded)[static_cast<std::size_t>(at)] << " is not " << bits[static_cast<std::size_t>(at)];
}

INSTANTIATE_TEST_SUITE_P(Dtypes, Decoder, testing::ValuesIn(decodedTypes()),
                         [](const auto& tested) { return std::string(name(tested.param)); });

} // namespace
} // namespace wb::gpu
