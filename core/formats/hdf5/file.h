// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/hdf5/hdf5.h"

#include <optional>

// Inside the room: places and structures of one file.
namespace wb::hdf5 {

inline constexpr std::uint64_t undefined = ~std::uint64_t{0}; // an address that leads nowhere

// Reads a file with the widths of addresses and lengths that its superblock names. Addresses count from the superblock, which a
// user block may precede; positions count from the beginning of the source.
class File {
public:
    explicit File(const io::ByteSource& source) : m_reader(source) {}

    io::RandomReader& reader() { return m_reader; }

    // Finds the superblock; the address of the root's object header. Empty if none exists.
    std::optional<std::uint64_t> open();

    // Where the superblock says that the file ends; HDF5 loads no file that ends before it. A user block counts, unlike in
    // addresses.
    std::uint64_t end() const { return m_end; }

    unsigned offsetBytes() const { return m_offsetBytes; }
    unsigned lengthBytes() const { return m_lengthBytes; }
    std::uint64_t filePosition(std::uint64_t address) const { return m_base + address; }

    // The number at a position that `at` passes.
    std::uint64_t take(std::uint64_t& at, unsigned bytes) {
        const std::uint64_t value = m_reader.readNumber(at, bytes);
        at += bytes;
        return value;
    }
    std::uint64_t takeAddress(std::uint64_t& at); // undefined where all of its bits are set
    std::uint64_t takeLength(std::uint64_t& at) { return take(at, m_lengthBytes); }

private:
    io::RandomReader m_reader;
    std::uint64_t m_base = 0;
    std::uint64_t m_end = 0;
    unsigned m_offsetBytes = 8;
    unsigned m_lengthBytes = 8;
};

// One message of an object header: its data are in the source.
struct Message {
    std::uint16_t type = 0;
    std::uint8_t flags = 0;
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
};

// The messages of the object header at an address, at most some thousand. Empty where it is damaged.
std::vector<Message> readMessages(File& file, std::uint64_t address);

// The message that `message` is, or the one it refers to where it is shared; empty where that cannot be followed.
std::optional<Message> resolved(File& file, const Message& message);

// A datatype message or the datatype inside another one, from `at` on, which it passes.
Type readType(File& file, std::uint64_t& at, unsigned depth = 0);

std::optional<std::vector<std::uint64_t>> readDataspace(File& file, std::uint64_t at); // empty for one without elements

// Reads the dataset from the messages of an object; false if it is not one.
bool readDataset(File& file, const std::vector<Message>& messages, Dataset& dataset, std::uint64_t& chunksLeft);

std::optional<Attribute> readAttribute(File& file, std::uint64_t begin, std::uint64_t bytes, std::uint64_t& bytesLeft);

struct Link {
    std::string name;
    std::uint64_t address = 0;
    bool isHard = true;
};

// The links of a group, whatever its form.
std::vector<Link> readLinks(File& file, const std::vector<Message>& messages, std::uint64_t& linksLeft);
Link readLink(File& file, std::uint64_t begin, std::uint64_t end);

// Calls back for each object in a fractal heap that a version 2 B-tree of the given record type names: its position and length in
// the source. `idOffset` is where the heap's id starts in a record.
void eachHeapObject(File& file, std::uint64_t heapAddress, std::uint64_t treeAddress, unsigned idOffset,
                    const std::function<void(std::uint64_t position, std::uint64_t bytes)>& visit);

// Calls back with the position of every record of a version 2 B-tree.
void eachRecord(File& file, std::uint64_t treeAddress, const std::function<void(std::uint64_t position, unsigned bytes)>& visit);

void readChunks(File& file, std::uint64_t at, unsigned indexType, unsigned flags, Dataset& dataset,
                std::uint64_t& chunksLeft);                                                         // of layout version 4
void readChunkTree(File& file, std::uint64_t address, Dataset& dataset, std::uint64_t& chunksLeft); // of version 3 and before

} // namespace wb::hdf5
