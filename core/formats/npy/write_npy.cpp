// SPDX-License-Identifier: MIT
#include "core/formats/npy/write_npy.h"

#include "core/io/atomic_writer.h"
#include "core/io/byte_source.h"
#include "core/model/output_check.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace wb::npy {
namespace {

constexpr std::uint64_t slabElements = 1 << 20; // a multiple of every block size

// Magic, version, header length and a Python literal, padded with spaces so that the data begin at a multiple of 64.
std::string headerOf(const Shape& shape) {
    std::string dimensions;
    for (const std::uint64_t dimension : shape.dimensions()) dimensions += fmt::format("{}, ", dimension);
    if (shape.rank() != 1 && !dimensions.empty()) dimensions.resize(dimensions.size() - 2);
    if (shape.rank() == 1) dimensions.resize(dimensions.size() - 1);
    std::string literal = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}", dimensions);
    literal.append(63 - (10 + literal.size()) % 64, ' ');
    literal += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(literal.size() & 0xFF);
    header += static_cast<char>(literal.size() >> 8);
    return header + literal;
}

Result<void> writeValues(const TensorReader& reader, io::AtomicWriter& writer, const Progress& progress) {
    std::vector<float> values;
    std::vector<std::byte> scratch;
    for (std::uint64_t first = 0; first < reader.elements(); first += values.size()) {
        WB_TRY(progress.at(first * sizeof(float), reader.elements() * sizeof(float)));
        values.resize(std::min(slabElements, reader.elements() - first));
        WB_TRY(reader.readF32(first, values, scratch));
        WB_TRY(writer.write(std::as_bytes(std::span(values))));
    }
    return reader.checkUnchanged();
}

} // namespace

Result<void> writeNpy(const Model& model, const TensorInfo& tensor, const std::filesystem::path& target, const Progress& progress) {
    static_assert(std::endian::native == std::endian::little, "the values are written as they lie in memory");
    WB_TRY(checkNoModelFile(model, target));
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, tensor));
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(target));
    WB_TRY(writer.write(std::string_view(headerOf(reader.shape()))));
    WB_TRY(writeValues(reader, writer, progress));
    return writer.commit();
}

} // namespace wb::npy
