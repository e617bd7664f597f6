// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/options.h"
#include "core/formats/pickle/graph.h"
#include "core/formats/pickle/opcodes.h"

#include <functional>

// The symbolic pickle machine (docs/reference/safety.md, "The symbolic machine"). It follows the opcodes as CPython's loader does,
// but imports, calls and reads nothing: an import is a node, a call is a node. One run gives both the values that a reader lists
// and the trace that a scan judges, so that they cannot disagree.
namespace wb::pickle {

// Why a loader would stop, or this machine does.
enum class Stop : std::uint8_t {
    None,
    Truncated,     // the source ends inside an opcode
    UnknownOpcode, // no such opcode
    BadArgument,   // a number, length or text that no loader takes
    BadOperand,    // a value of the wrong type, or a missing value
    MissingMemo,   // a value that was never put there
    Protocol,      // above 5
    Capped         // more than this machine follows
};

struct Defect {
    Stop stop = Stop::None;
    std::uint64_t position = 0; // of the opcode in its stream
};

// How an object comes to do something when it is loaded.
enum class Act : std::uint8_t { Import, Reduce, NewObject, Inst, Obj, Build, SetItem, Append, PersistentId, Extension };
const char* actName(Act act); // as wb scan prints it

// One thing that a loader would do, recorded when it is executed, whatever becomes of its value.
struct TraceLine {
    std::uint64_t position = 0;  // of the opcode in its stream
    NodeId object = unknownNode; // the Global, the callee, or the object that is changed
    NodeId arguments = unknownNode;
    Act act = Act::Import;
    std::uint8_t opcode = 0;
    DangerLevel level = DangerLevel::A;
    bool isBeyondStop = false; // a loader has failed before
};

// An opcode of a disassembly.
struct ListedOpcode {
    std::uint64_t position = 0; // in its stream
    std::string_view name;      // as in the table of opcodes
    std::string argument;       // as a person reads it, cut; empty where it has none
};

// One pickle, from its first opcode to STOP or to where nothing more can be followed.
struct Stream {
    std::uint64_t begin = 0; // in the source
    std::uint64_t end = 0;
    std::uint64_t opcodes = 0;
    std::uint8_t protocol = 0; // the highest that it names
    NodeId root = unknownNode;
    bool isComplete = false;     // reached STOP with one value
    std::vector<Defect> defects; // the first 100; the first of them is where a loader stops
    std::vector<TraceLine> trace;
    std::uint64_t untraced = 0;     // lines of level A and B beyond the most that are kept
    std::uint8_t firstForeign = 0;  // the first opcode that torch.load(weights_only=True) does not know; 0: none
    bool breaksWeightsOnly = false; // an opcode on a kind of object that it refuses

    DangerLevel level() const; // the worst of the trace
};

class Machine {
public:
    // Called when a BUILD gave `object` its state, before the next opcode is read: joblib puts the bytes of an array there. Returns
    // how many bytes to pass over, or `unknownSkip` if the number of bytes to skip is unknown; the stream is then incomplete.
    static constexpr std::uint64_t unknownSkip = ~std::uint64_t{0};
    using AfterBuild = std::function<std::uint64_t(const Graph& graph, NodeId object, std::uint64_t position)>;

    explicit Machine(const io::ByteSource& source, const formats::Limits& limits = {})
        : m_tape(source), m_graph(m_tape), m_limits(limits) {}

    void setAfterBuild(AfterBuild hook) { m_afterBuild = std::move(hook); }

    // Lists every opcode that is followed from now on, at most mostListed; null: none. The list must outlive the runs.
    static constexpr std::size_t maxListed = 200'000;
    void setListing(std::vector<ListedOpcode>* listing) { m_listing = listing; }

    // Names that are known data classes in the format at hand, such as __torch__.* in TorchScript: these are of level B.
    void setKnownModules(std::string prefix) { m_knownPrefix = std::move(prefix); }

    // Follows one pickle from `position`. Canceled where `progress` is asked to stop, NotReadable where the source fails; a pickle
    // that is invalid is no error but a Stream with defects.
    Result<Stream> run(std::uint64_t position, const Progress& progress = {});

    const Graph& graph() const { return m_graph; }
    const Tape& tape() const { return m_tape; }

private:
    friend class Runner;

    Tape m_tape;
    Graph m_graph;
    formats::Limits m_limits;
    AfterBuild m_afterBuild;
    std::string m_knownPrefix;
    std::vector<ListedOpcode>* m_listing = nullptr;
    std::uint64_t m_opcodes = 0; // of all streams
};

} // namespace wb::pickle
