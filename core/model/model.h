// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"
#include "core/model/format_id.h"
#include "core/model/tensor_source.h"
#include "core/model/value.h"
#include "core/tensor/dtype.h"
#include "core/tensor/shape.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wb {

struct Danger;      // core/model/danger.h
struct Checkpoint;  // core/model/checkpoint.h
struct SeriesEntry; // core/model/checkpoint.h

// One file that belongs to a model.
struct ModelFile {
    std::string name; // relative to Model::folder, '/' between components, UTF-8
    std::uint64_t bytes = 0;
    io::Identity identity;                  // when it was indexed; zero for sources without a file
    std::shared_ptr<io::ByteSource> source; // memory, HTTP, or a file kept open by namedFile; null: opened by name
};

// The entry of a file that the user named by `path`. Later it is opened again by its name beneath its folder; where that would open
// another file (the path is a link, the name is not a plain one) the entry keeps `source` open instead.
ModelFile namedFile(const std::filesystem::path& path, std::shared_ptr<io::FileSource> source);

// What else is worth knowing of a tensor; most have nothing of it.
struct TensorDetails {
    std::string member;                         // of an archive, where its bytes are in one
    std::string group;                          // step, item or checkpoint, where a model holds several
    std::optional<std::uint64_t> storageOffset; // of a view: elements of its storage before its first one
    std::vector<std::string> aliases;           // names of other tensors on the same storage, the first 64
    std::vector<std::string> notes;             // fragments of English
    bool isRepeated = false;                    // an earlier tensor has all its bytes, so that totals omit it
    // Of a logical tensor: how it is stored ("awq 4 bit g32"), the names of the stored ones, and what they take for each element.
    std::string scheme;
    std::vector<std::string> parts;
    std::optional<double> bitsPerWeight;
};

// One tensor as stored, or a logical one made of several stored ones (`logical`, counted in no total).
struct TensorInfo {
    std::string name; // valid UTF-8: readers replace invalid bytes
    Dtype dtype = Dtype::Unknown;
    Shape shape;
    TensorSource source; // where its elements come from
    bool logical = false;
    std::string typeText;                         // only for Dtype::Unknown: what the file calls the type
    std::string rawName;                          // the stored name where it is not UTF-8; empty where `name` is it
    std::shared_ptr<const TensorDetails> details; // null where there is nothing to say

    // Where it starts: an index into Model::files or noFile, and the first byte in that file; empty where it is in no file.
    std::uint32_t file() const { return source.place().file; }
    const std::optional<std::uint64_t>& offset() const { return source.place().offset; }
    std::uint64_t bytes() const { return source.place().bytes; } // stored size without padding

    // Whether totals omit it: computed from other tensors, or with the bytes of an earlier one.
    bool isUncounted() const { return logical || (details && details->isRepeated); }

    // Whether TensorReader can be expected to open it: its values are available and its type is supported.
    bool isReadable() const { return dtype != Dtype::Unknown && source.form() != TensorSource::Form::Unavailable; }

    // What another file must call the tensor, and what patterns are matched against.
    const std::string& storedName() const { return rawName.empty() ? name : rawName; }

    // As printed: the dtype's own name, or typeText for a type this program does not know.
    std::string dtypeName() const { return dtype == Dtype::Unknown && !typeText.empty() ? typeText : name_(dtype); }

private:
    static std::string name_(Dtype d) { return wb::name(d); }
};

// The result of a format's reader, used by every tool: an immutable index of one model. Opening reads headers only; the elements
// are read later, through TensorReader.
struct Model {
    FormatId format = FormatId::Unknown;
    std::optional<std::string> version; // of the format, where it has one
    std::filesystem::path path;         // what the user named
    std::filesystem::path folder;       // what ModelFile::name is relative to
    std::vector<ModelFile> files;
    ValueObject metadata;
    std::vector<TensorInfo> tensors;
    std::vector<Problem> problems; // by severity (errors first), then file and byte
    std::optional<std::string> architecture;
    bool bigEndian = false;                       // every stored scalar is swapped, including the scales inside blocks
    std::shared_ptr<const Danger> danger;         // what loading it elsewhere would run; null where the format runs nothing
    std::shared_ptr<const Checkpoint> checkpoint; // of a training run; null: the model is none
    std::shared_ptr<const std::vector<SeriesEntry>> series; // of a folder of checkpoints, whose newest this model is; else null

    std::uint64_t parameters() const;  // elements of the weights as computed with, see parameters.h; saturating
    std::uint64_t tensorBytes() const; // bytes of the stored tensors, shared ones counted once; saturating
};

using ModelPtr = std::shared_ptr<const Model>;

// Puts problems into the order Model declares.
void sortProblems(std::vector<Problem>& problems);

// The bytes of file `index`: its own source, or the file beneath the model's folder. Changed if the file is not the one that was
// indexed. Thread-safe; the caller keeps the source as long as it reads.
Result<std::shared_ptr<io::ByteSource>> openFile(const Model& model, std::uint32_t index);

} // namespace wb
