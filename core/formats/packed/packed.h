// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"

// Weights that a runtime's file keeps as codes with scales, zero points, codebooks or a mask, computed by the worker that reads the
// format (Core ML, OpenVINO, ncnn, MNN):
//
//   value = ((codebook ? codebook[group, code] : code) - zero) * scale + shift
//
// All parts are in one file or in the description itself. A part may have fewer elements than the weight along any axis; each
// then stands for a block of the weight: the element at coordinate x of an axis of n elements uses the part's element x / ceil(n /
// m) of m. The result is F32, row-major.
namespace wb::packed {

// How the numbers of a part are stored. Bits are counted from the lowest of the first byte, unless stated otherwise.
enum class Encoding : std::uint8_t {
    Plain,        // a type of core/tensor that is no packed integer: Part::dtype
    Unsigned,     // codes of Part::bits bits, 1 to 8, one after another
    Signed,       // the same in two's complement
    HighFirst,    // Unsigned, each byte from its highest bit on; a code may continue in the next byte
    OpenVinoU3,   // eight codes in three bytes: their two low bits in two bytes, then their high bits, highest bit first
    OpenVinoU6,   // four codes in three bytes: their four low bits in two bytes, then their two high bits, highest bit first
    NormalFloat4, // four bits, the levels of NF4
};

struct Part {
    Encoding encoding = Encoding::Plain;
    Dtype dtype = Dtype::F32;              // of a plain one
    std::uint8_t bits = 8;                 // of a code
    std::uint64_t offset = 0;              // of its first byte in the file …
    std::vector<std::byte> inlined = {};   // … or its bytes, where these are not empty
    std::vector<std::uint64_t> shape = {}; // of a part with blocks: as many sides as the weight has

    bool isThere = false; // of the parts that may be absent
};

struct Weight {
    std::vector<std::uint64_t> shape; // of the codes
    Part codes;
    Part scale;
    Part zero;
    Part shift;
    Part codebook; // after the sides of its groups one more: its levels
    Part mask;     // a bit for each element, 1: stored; the codes are those of the stored elements, the others are 0
};

// Bytes of `elements` numbers of the part; empty where it overflows or a type has no such part.
std::optional<std::uint64_t> partBytes(const Part& part, std::uint64_t elements);

// Whether all parts are inside a file of `fileBytes`, and their shapes fit the weight's.
bool isSound(const Weight& weight, std::uint64_t fileBytes);

// A derived file of the index with the values of the weight, made of its source `file`; isSound() was asked.
std::uint32_t addValues(formats::Index& index, std::uint32_t file, const Weight& weight);

// A tensor of these values under the weight's shape or another one with as many elements. `parts` are the names of the stored
// tensors, `scheme` names the way of packing, `bytes` are what the parts take together.
TensorInfo logicalTensor(formats::Index& index, std::uint32_t file, const Weight& weight, std::string name, const Shape& shape,
                         std::string scheme, std::vector<std::string> parts, std::uint64_t bytes);

// The task in the worker: Malformed where the description does not fit the file.
Result<void> unpack(const io::ByteSource& file, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out);

} // namespace wb::packed
