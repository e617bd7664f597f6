// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wb {

class Recipe;

// One run of consecutive elements of a tensor, stored as whole blocks in one extent of one file.
struct TensorPiece {
    std::uint32_t file = 0;     // index into Model::files
    std::uint64_t offset = 0;   // of its first byte in that file
    std::uint64_t elements = 0; // a multiple of the dtype's block
};

// The location of a tensor that is in no file, such as one computed by a recipe.
inline constexpr std::uint32_t noFile = std::numeric_limits<std::uint32_t>::max();

// Where a tensor is in the files of its model.
struct TensorPlace {
    std::uint32_t file = 0;              // index into Model::files, or noFile
    std::optional<std::uint64_t> offset; // of the first byte in that file
    std::uint64_t bytes = 0;             // stored size without padding
};

// Where the elements of a tensor come from. One of five forms, read only by TensorReader:
//
//   Stored       one extent of one file, row-major, without gaps. Most formats have this form, and so do the data of an
//                uncompressed zip member. A compressed member, or values copied out of a header, are a ModelFile with its own
//                ByteSource.
//   Pieces       several extents of any files, one after another in row-major order: a tensor divided along its first axis or
//                over ranks.
//   Strided      one extent in which neighboring elements are at fixed distances: transposed and sliced views, columns first.
//   Recipe       computed from other tensors of the model; see recipe.h.
//   Unavailable  known by name, type and shape only, with the reason why the values cannot be read.
//
// A plain value that can be copied. Making one checks nothing, because a reader may know the files' sizes later: TensorReader::open
// checks every form against the shape, the dtype and the files.
class TensorSource {
public:
    enum class Form { Unavailable, Stored, Pieces, Strided, Recipe };

    // Unavailable without a place: the location of the values is unknown.
    TensorSource() = default;

    static TensorSource stored(std::uint32_t file, std::uint64_t offset, std::uint64_t bytes);
    static TensorSource pieces(std::vector<TensorPiece> pieces, std::uint64_t bytes);

    // `strides` are in elements, one an axis; element 0 is at byte `offset`. Stride 0 repeats an element.
    static TensorSource strided(std::uint32_t file, std::uint64_t offset, std::vector<std::uint64_t> strides, std::uint64_t bytes);

    // `bytes`: what the stored inputs take together.
    static TensorSource recipe(std::shared_ptr<const Recipe> recipe, std::uint64_t bytes);

    // `why` is a fragment of English that ends the sentence "The values of X in Y cannot be read: …."
    static TensorSource unavailable(Reason reason, std::string why);

    // Makes any form unavailable and keeps its place, which inspecting shows.
    void makeUnavailable(Reason reason, std::string why);

    // For a model joined of several: adds `by` to every index into Model::files.
    void shiftFiles(std::uint32_t by);

    Form form() const { return static_cast<Form>(m_form.index()); }
    const TensorPlace& place() const { return m_place; } // of pieces that of the first one

    // Of an unavailable source only the place changes; every other one becomes stored there.
    void setPlace(const TensorPlace& place);

    // Each of the form it names; an empty list or null in the others.
    const std::vector<TensorPiece>& pieces() const;
    const std::vector<std::uint64_t>& strides() const;
    const std::shared_ptr<const Recipe>& recipe() const;

    Reason unavailableReason() const;
    const std::string& unavailableWhy() const; // empty unless unavailable

private:
    struct Unavailable {
        Reason reason;
        std::string why;
    };
    struct Stored {};
    using Pieces = std::shared_ptr<const std::vector<TensorPiece>>;
    struct Strides {
        std::shared_ptr<const std::vector<std::uint64_t>> list;
    };

    TensorPlace m_place;
    // In the order of Form. What is long is after a pointer: a model may have millions of tensors.
    std::variant<std::shared_ptr<const Unavailable>, Stored, Pieces, Strides, std::shared_ptr<const Recipe>> m_form;
};

} // namespace wb
