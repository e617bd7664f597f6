// SPDX-License-Identifier: MIT
#include "gpu/infer/known_matrix.h"

#include "core/quant/quantize.h"
#include "core/tensor/decode.h"
#include "gpu/device/upload.h"

#include <cstring>

namespace wb::gpu {

// xorshift32
std::vector<float> knownNumbers(std::size_t count, std::uint32_t seed) {
    std::vector<float> numbers(count);
    for (float& value : numbers) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        value = static_cast<float>(static_cast<std::int32_t>(seed)) * 0x1p-31F;
    }
    return numbers;
}

std::vector<std::uint32_t> matrixWords(std::span<const float> values) {
    std::vector<std::uint32_t> words(values.size());
    std::memcpy(words.data(), values.data(), values.size_bytes());
    return words;
}

KnownMatrix KnownMatrix::make(Dtype dtype, std::uint32_t rows, std::uint32_t columns) {
    KnownMatrix matrix{dtype, rows, columns, {}};
    const std::vector<float> numbers = knownNumbers(std::size_t{rows} * columns, 3);
    const std::size_t ofRow = *rowBytes(dtype, columns);
    matrix.stored.resize(rows * ofRow);
    for (std::size_t r = 0; r < rows; ++r)
        quant::quantizeRow(dtype, std::span(numbers).subspan(r * columns, columns), {},
                           std::span(matrix.stored).subspan(r * ofRow, ofRow));
    return matrix;
}

std::vector<float> KnownMatrix::decoded() const {
    std::vector<float> weights(std::size_t{rows} * columns);
    decode(dtype, stored, weights);
    return weights;
}

Result<DeviceMatrix> KnownMatrix::upload(const DevicePtr& device) const {
    const WeightLayout& layout = *findWeightLayout(dtype);
    std::vector<std::uint32_t> weights(rows * layout.rowBytes(columns) / 4), scales(rows * layout.rowScales(columns));
    for (std::size_t r = 0; r < rows; ++r)
        packRow(layout, stored.data() + r * stored.size() / rows, columns,
                reinterpret_cast<std::byte*>(weights.data()) + r * layout.rowBytes(columns),
                scales.data() + r * layout.rowScales(columns));
    scales.push_back(0); // where the type has none
    MatrixPart part;
    part.rows = rows;
    WB_TRY_ASSIGN(const BufferPtr ofWeights, uploadWords(device, weights));
    WB_TRY_ASSIGN(const BufferPtr ofScales, uploadWords(device, scales));
    part.weights = ofWeights->view();
    part.scales = ofScales->view();
    return DeviceMatrix{&layout, rows, columns, {part}};
}

double relativeError(std::span<const float> ours, std::span<const float> wanted) {
    double error = 0, sum = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double difference = static_cast<double>(ours[i]) - static_cast<double>(wanted[i]);
        error += difference * difference;
        sum += static_cast<double>(wanted[i]) * static_cast<double>(wanted[i]);
    }
    return error / sum;
}

} // namespace wb::gpu
