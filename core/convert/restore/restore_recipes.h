// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/recipe.h"

#include <array>
#include <memory>

// The inverse of each transform that has one, as recipes over the tensors of a GGUF file (docs/reference/conversion.md, "GGUF →
// safetensors").
namespace wb::convert {

// Values of one tensor in the order of the source that it was made of, of `heads` heads whose rows were permuted (0: none), less
// `subtrahend`, as elements of the tensor's own type (a float; the stored type where nothing changes but the order).
class RestoredRows final : public Recipe {
public:
    RestoredRows(std::string input, std::uint64_t heads, float subtrahend, Dtype dtype)
        : m_inputs{std::move(input)}, m_heads(heads), m_subtrahend(subtrahend), m_dtype(dtype) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    std::uint64_t rowBefore(std::uint64_t row, std::uint64_t rows) const;

    std::vector<std::string> m_inputs;
    std::uint64_t m_heads;
    float m_subtrahend;
    Dtype m_dtype;
};

// Numbers that were computed of a tensor beforehand, as elements of a float type: vectors and small matrices.
class KnownValues final : public Recipe {
public:
    KnownValues(std::string input, std::vector<float> values, Dtype dtype)
        : m_inputs{std::move(input)}, m_values(std::move(values)), m_dtype(dtype) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    std::vector<std::string> m_inputs;
    std::vector<float> m_values;
    Dtype m_dtype;
};

// Whole numbers that are metadata of the file, as I64. `input` is any tensor: a recipe reads one.
class KnownNumbers final : public Recipe {
public:
    KnownNumbers(std::string input, std::vector<std::int64_t> numbers)
        : m_inputs{std::move(input)}, m_numbers(std::move(numbers)) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    std::vector<std::string> m_inputs;
    std::vector<std::int64_t> m_numbers;
};

// Runs of two tensors in turn, each of a fixed length; elements are the inputs' own, or F32.
class Concatenated final : public Recipe {
public:
    Concatenated(std::vector<std::string> inputs, std::uint64_t firstRun, std::uint64_t secondRun, Dtype dtype)
        : m_inputs(std::move(inputs)), m_runs{firstRun, secondRun}, m_dtype(dtype) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    std::vector<std::string> m_inputs;
    std::array<std::uint64_t, 2> m_runs;
    Dtype m_dtype;
};

// Elements of two tensors in turn, of a float type.
class Interleaved final : public Recipe {
public:
    Interleaved(std::string even, std::string odd, Dtype dtype) : m_inputs{std::move(even), std::move(odd)}, m_dtype(dtype) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    std::vector<std::string> m_inputs;
    Dtype m_dtype;
};

// The codes or the scales of MXFP4 blocks, of one tensor or of the rows of two in turn, as gpt-oss stores them: U8 of
// [experts, rows, blocks of a row, 16], or without the last axis.
class UnpackedBlocks final : public Recipe {
public:
    enum class Part : std::uint8_t { Codes, Scales };

    UnpackedBlocks(std::vector<std::string> inputs, Part part) : m_inputs(std::move(inputs)), m_part(part) {}

    const std::vector<std::string>& inputs() const override { return m_inputs; }
    Result<void> check(std::span<const TensorReader> inputs, Dtype dtype, const Shape& shape) const override;
    Result<void> readRaw(std::span<const TensorReader> inputs, std::uint64_t first, std::uint64_t count,
                         std::span<std::byte> out) const override;

private:
    Result<void> readBlock(std::span<const TensorReader> inputs, std::uint64_t block, std::span<std::byte> out) const;

    std::vector<std::string> m_inputs;
    Part m_part;
};

} // namespace wb::convert
