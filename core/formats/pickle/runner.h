// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/pickle/machine.h"
#include "core/formats/pickle/memo.h"

// One run of the machine over one pickle.
namespace wb::pickle {

class Runner {
public:
    Runner(Machine& machine, std::uint64_t begin);

    Result<Stream> run(const Progress& progress);

private:
    // ---- arguments (arguments.cpp); false where the source ends, which run() then says
    bool number(int bytes, std::uint64_t& value);
    bool line(std::string_view& text, std::uint64_t& offset);
    bool counted(int bytes, std::uint64_t& offset, std::uint64_t& length);
    void pushCounted(int bytes, NodeKind kind);
    void pushLongNumber(int bytes);
    void pushIntLine();
    void pushLongLine();
    void pushFloatLine();
    void pushStringLine();
    void pushUnicodeLine();
    bool memoLine(std::uint64_t& index);

    // ---- the stack; a missing value is Unknown, and a loader stops there
    void push(NodeId id) {
        if (m_stack.size() >= m_machine.m_limits.stackValues) return cap();
        m_stack.push_back(id);
    }
    NodeId pop();
    NodeId top();
    std::size_t beginOfMark(); // the items from there on belong to the mark, which is gone afterwards
    void drop(std::size_t size) { m_stack.resize(size); }

    // ---- opcodes (run.cpp, acts.cpp)
    void step(std::uint8_t opcode);
    void stepRare(std::uint8_t opcode);
    void pushNumber(int bytes, bool isSigned);
    void pushRealBinary();
    void pushTuple(std::size_t count);
    void pushMarked(NodeKind kind);
    void get(std::uint64_t index);
    void put(std::uint64_t index);
    void appendTop();
    void appendMarked();
    void setTop();
    void setMarked();
    void addMarked();
    void setItems(NodeId object, std::size_t begin);
    void appendItems(NodeId object, std::size_t begin);
    void importLines();
    void importStack();
    void extension(int bytes);
    void reduce();
    void newObject(bool hasKeywords);
    void inst();
    void obj();
    void build();
    void persistent(NodeId pid);
    void frame();
    void protocol();

    void list(const Opcode& opcode, std::uint64_t argument);
    NodeId import(std::string_view module, std::string_view name);
    void call(CallKind kind, Act act, NodeId callee, NodeId arguments, NodeId keywords = unknownNode);
    void change(Act act, NodeId object, NodeId arguments, char operation);
    DangerLevel levelOfCall(NodeId callee, NodeId arguments, char operation) const;
    bool fitsConstraint(std::string_view constraint, NodeId arguments) const;
    void trace(Act act, NodeId object, NodeId arguments, DangerLevel level);
    void allowGetattrPair();

    void stopAt(Stop stop); // a loader fails here; the run continues
    void end(Stop stop);    // nothing can be followed from here on
    void cap() { end(Stop::Capped); }

    Machine& m_machine;
    Tape& m_tape;
    Graph& m_graph;
    Stream m_stream;
    Memo m_memo;
    std::vector<NodeId> m_stack;
    std::vector<std::size_t> m_marks; // sizes of the stack when they were set
    std::uint64_t m_position = 0;     // of the current opcode in the stream
    std::uint8_t m_opcode = 0;
    bool m_isDone = false;
};

} // namespace wb::pickle
