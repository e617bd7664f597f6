// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/model/model.h"
#include "core/worker/model_wire.h"
#include "core/worker/worker.h"

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

// How a format is read by a worker as a whole: what its reader there finds, the message that carries it, and the files that the
// program makes of it. A format writes one function, readIndex(), and has its task and its open() from here.
namespace wb::formats {

// Bytes that are in no file as a tensor needs them; they become a file of the model.
struct DerivedFile {
    enum class Kind : std::uint8_t {
        Swapped, // a file whose numbers of `width` bytes from `start` to `end` are turned to little endian
        Unpacked // what the format's second task makes of `spec`: chunks that are unpacked and joined, a compressed stream
    };
    Kind kind = Kind::Swapped;
    std::uint32_t file = 0;               // index of the source
    std::vector<std::uint32_t> more = {}; // of an unpacked one: sources that are read as if they stood after it
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t width = 0;
    std::vector<std::byte> spec = {};
    std::uint64_t bytes = 0; // of an unpacked one

    friend bool operator==(const DerivedFile&, const DerivedFile&) = default;
};

using Sources = std::vector<std::shared_ptr<io::ByteSource>>;

// The result of a reader. Tensors name files by index: the sources in their order, then `copied`, then `derived`.
class Index {
public:
    explicit Index(std::size_t sources) : m_sources(static_cast<std::uint32_t>(sources)) {}

    Model model; // without files

    std::uint32_t sources() const { return m_sources; }
    const std::vector<std::byte>& copied() const { return m_copied; }
    const std::vector<DerivedFile>& derived() const { return m_derived; }

    // Values that the files do not hold as one run, kept in the model; empty beyond maxCopied in all.
    std::optional<TensorSource> copy(std::span<const std::byte> values);

    // A file that shows a part of another one with its numbers turned round. Positions in it are those of the other one.
    std::uint32_t addSwapped(std::uint32_t file, std::uint64_t begin, std::uint64_t end, std::uint64_t width);

    std::uint32_t addUnpacked(std::uint32_t file, std::vector<std::byte> spec, std::uint64_t bytes);
    // Of several sources, which the task sees as one: each starts where the one before it ends. `files` is not empty.
    std::uint32_t addUnpacked(const std::vector<std::uint32_t>& files, std::vector<std::byte> spec, std::uint64_t bytes);

    static constexpr std::uint64_t maxCopied = 256 << 20;

private:
    friend std::optional<Index> readIndexMessage(worker::WireReader& in, std::size_t sources, const worker::RecipeWire& recipes);

    std::uint32_t m_sources;
    std::vector<std::byte> m_copied;
    std::vector<DerivedFile> m_derived;
};

// The task in the worker: reads the sources and finds a model. `wish` is what the parent said beyond the sources.
using ReadIndex = Result<Index> (*)(const Sources& sources, std::string_view wish, const OpenOptions& options);

// The task in the worker for a derived file of type Unpacked: fills `out` with its bytes from `offset` on.
using Unpack = Result<void> (*)(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset,
                                std::span<std::byte> out);

// The bodies of a format's tasks.
Result<std::vector<std::byte>> runIndexTask(const worker::TaskInput& input, ReadIndex read, const worker::RecipeWire& recipes = {});
Result<std::vector<std::byte>> runUnpackTask(const worker::TaskInput& input, Unpack unpack);

// The same as tasks, for readers without recipes.
template <ReadIndex Read>
Result<std::vector<std::byte>> indexTask(const worker::TaskInput& input) {
    return runIndexTask(input, Read);
}
template <Unpack Make>
Result<std::vector<std::byte>> unpackTask(const worker::TaskInput& input) {
    return runUnpackTask(input, Make);
}

// A file of the model as the parent opened it.
struct OpenedFile {
    std::shared_ptr<io::ByteSource> source;
    ModelFile file;
};
Result<OpenedFile> openNamed(const std::filesystem::path& path);

// Bytes that `task` (a task made with runUnpackTask) makes of `packed` when they are read.
std::shared_ptr<io::ByteSource> makeUnpacked(const char* task, std::shared_ptr<const io::ByteSource> packed, std::string name,
                                             std::vector<std::byte> spec, std::uint64_t bytes);

struct Tasks {
    const char* index = nullptr;
    const char* unpack = nullptr; // null if the format has no derived files of that type
    worker::RecipeWire recipes = {};
};

// The tasks of a format in the worker: its index, and where `Make` is stated what it makes of derived files. `Names` has static
// storage.
template <const Tasks& Names, ReadIndex Read, Unpack Make = nullptr>
std::span<const worker::WorkerTask> taskTable() {
    if constexpr (Make == nullptr) {
        static constexpr std::array all = {worker::WorkerTask{Names.index, indexTask<Read>}};
        return all;
    } else {
        static constexpr std::array all = {worker::WorkerTask{Names.index, indexTask<Read>},
                                           worker::WorkerTask{Names.unpack, unpackTask<Make>}};
        return all;
    }
}

// Asks the worker and makes the model: its files are `files`, then what was copied and derived, as far as a tensor needs it. The
// caller sets path and folder. `subject` is the name in sentences. The worker's result is checked here as far as it can be without
// the values; places are checked by TensorReader.
Result<Model> askWorker(const Tasks& tasks, const std::string& subject, std::vector<OpenedFile> files, std::string_view wish,
                        const OpenOptions& options);

// The same of one file that the user named.
Result<ModelPtr> openFile(const Tasks& tasks, const std::filesystem::path& path, const OpenOptions& options);

// The model of an index without a worker, for tests and fuzzing: derived files are made in this process.
Model modelFromIndex(Index index, const Sources& sources, Unpack unpack = nullptr);

} // namespace wb::formats
