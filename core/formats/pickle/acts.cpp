// SPDX-License-Identifier: MIT
#include "core/formats/pickle/names.h"
#include "core/formats/pickle/runner.h"

#include <algorithm>

// Imports, calls and changes of objects: what a loader would run.
namespace wb::pickle {
namespace {

constexpr std::size_t maxLines = 1'000'000;

} // namespace

const char* actName(Act act) {
    static constexpr const char* names[] = {"import", "reduce",  "newobj",  "inst",   "obj",
                                            "build",  "setitem", "setitem", "persid", "ext"};
    return names[static_cast<std::size_t>(act)];
}

DangerLevel Stream::level() const {
    DangerLevel worst = DangerLevel::A;
    for (const TraceLine& line : trace) worst = std::max(worst, line.level); // whatever fails before
    return worst;
}

void Runner::trace(Act act, NodeId object, NodeId arguments, DangerLevel level) {
    if (m_stream.trace.size() >= maxLines && level <= DangerLevel::B) {
        ++m_stream.untraced;
        return;
    }
    if (m_stream.trace.size() >= 2 * maxLines) return cap();
    m_stream.trace.push_back({m_position, object, arguments, act, m_opcode, level, !m_stream.defects.empty()});
}

NodeId Runner::import(std::string_view module, std::string_view name) {
    const NodeId id = m_graph.makeGlobal(module, name, m_position);
    DangerLevel level = m_graph.global(id).level;
    const bool isKnown = !m_machine.m_knownPrefix.empty() && module.starts_with(m_machine.m_knownPrefix);
    if (isKnown && level == DangerLevel::C) {
        level = DangerLevel::B;
        m_graph.setLevel(id, level);
    }
    trace(Act::Import, id, unknownNode, level);
    return id;
}

void Runner::importLines() {
    std::string_view module;
    std::string_view name;
    std::uint64_t offset = 0;
    if (!line(module, offset)) return;
    const std::uint64_t moduleLength = module.size();
    std::uint64_t nameOffset = 0;
    if (!line(name, nameOffset)) return;
    // Reading the second line may have moved the first.
    push(import(m_graph.keepName(m_tape.text(offset, moduleLength)), m_graph.keepName(name)));
}

void Runner::importStack() {
    const NodeId name = pop();
    const NodeId module = pop();
    // The strings of Python 2 are bytes here and texts for the loader.
    const auto isText = [this](NodeId id) { return m_graph.is(id, NodeKind::Text) || m_graph.is(id, NodeKind::Bytes); };
    if (!isText(module) || !isText(name)) {
        stopAt(Stop::BadOperand);
        return push(unknownNode);
    }
    push(import(m_graph.keepName(m_graph.text(module)), m_graph.keepName(m_graph.text(name))));
}

// The registry of extensions is the loader's; what a code stands for is not known.
void Runner::extension(int bytes) {
    std::uint64_t code = 0;
    if (!number(bytes, code)) return;
    const NodeId id = m_graph.makeGlobal("", m_graph.keepName("extension " + std::to_string(code)), m_position);
    trace(Act::Extension, id, unknownNode, DangerLevel::C);
    push(id);
}

bool Runner::fitsConstraint(std::string_view constraint, NodeId arguments) const {
    if (constraint.empty()) return true;
    constexpr std::size_t most = 64;
    // Bytes of the first protocols are the call that makes them; it has been judged by itself.
    const auto isPlain = [this](NodeId id) {
        const bool isBytes = m_graph.is(id, NodeKind::Call) && m_graph.isGlobal(m_graph.callee(id), "_codecs", "encode");
        return isBytes || (m_graph.kind(id) >= NodeKind::None && m_graph.kind(id) <= NodeKind::Dict);
    };
    const std::vector<NodeId> given = m_graph.items(arguments, most);
    if (constraint == "data") return m_graph.is(arguments, NodeKind::Tuple) && std::ranges::all_of(given, isPlain);
    if (constraint == "codec") {
        static constexpr std::string_view codecs[] = {"latin1", "latin-1", "iso-8859-1", "ascii", "utf-8", "utf8"};
        return given.size() == 2 && std::ranges::find(codecs, m_graph.text(given[1])) != std::end(codecs);
    }
    if (constraint == "dtype") {
        // Kind O holds objects, which come as a list of the elements in the pickle and are judged there.
        const std::string_view code = given.empty() ? std::string_view() : m_graph.text(given[0]);
        return !code.empty() && std::string_view("biufcSUVOMm?").find(code[0]) != std::string_view::npos;
    }
    return true;
}

DangerLevel Runner::levelOfCall(NodeId callee, NodeId arguments, char operation) const {
    callee = m_graph.nodeClass(callee);
    if (!m_graph.is(callee, NodeKind::Global)) return DangerLevel::C; // the result of a call, or nothing that can be called
    const GlobalName& global = m_graph.global(callee);
    if (global.level == DangerLevel::D) return DangerLevel::D;
    if (global.module == "__main__" && operation == 'c') return DangerLevel::D; // whatever the program at hand defines
    const AllowedName* row = global.allowed;
    if (row == nullptr) return global.level;
    const bool isFine = row->allows(operation) && (operation != 'c' || fitsConstraint(row->constraint, arguments));
    return isFine ? row->level : DangerLevel::C;
}

void Runner::call(CallKind kind, Act act, NodeId callee, NodeId arguments, NodeId keywords) {
    const NodeId made =
        m_graph.make(NodeKind::Call, callee, std::uint64_t{keywords} << 32 | arguments, 0, static_cast<std::uint8_t>(kind));
    const char operation = act == Act::NewObject ? 'n' : 'c';
    trace(act, callee, arguments, levelOfCall(callee, arguments, operation));
    push(made);
}

void Runner::reduce() {
    const NodeId arguments = pop();
    const NodeId callee = pop();
    if (!m_graph.is(arguments, NodeKind::Tuple)) stopAt(Stop::BadOperand);
    call(CallKind::Reduce, Act::Reduce, callee, arguments);
}

void Runner::newObject(bool hasKeywords) {
    const NodeId keywords = hasKeywords ? pop() : unknownNode;
    const NodeId arguments = pop();
    const NodeId callee = pop();
    call(hasKeywords ? CallKind::NewObjectKeywords : CallKind::NewObject, Act::NewObject, callee, arguments, keywords);
}

void Runner::inst() {
    std::string_view module;
    std::string_view name;
    std::uint64_t offset = 0;
    std::uint64_t nameOffset = 0;
    if (!line(module, offset)) return;
    const std::uint64_t moduleLength = module.size();
    if (!line(name, nameOffset)) return;
    const NodeId callee = import(m_graph.keepName(m_tape.text(offset, moduleLength)), m_graph.keepName(name));
    const std::size_t begin = std::min(beginOfMark(), m_stack.size());
    const NodeId arguments = m_graph.makeTuple(m_stack.data() + begin, m_stack.size() - begin);
    drop(begin);
    call(CallKind::Inst, Act::Inst, callee, arguments);
}

void Runner::obj() {
    const std::size_t begin = std::min(beginOfMark(), m_stack.size());
    if (begin == m_stack.size()) {
        stopAt(Stop::BadOperand);
        return push(unknownNode);
    }
    const NodeId callee = m_stack[begin];
    const NodeId arguments = m_graph.makeTuple(m_stack.data() + begin + 1, m_stack.size() - begin - 1);
    drop(begin);
    call(CallKind::Obj, Act::Obj, callee, arguments);
}

// An object is changed by a method of its class, which is code of the class: harmless only where its row reports it.
void Runner::change(Act act, NodeId object, NodeId arguments, char operation) {
    if (m_graph.is(object, NodeKind::Global)) return trace(act, object, arguments, DangerLevel::D); // shared by the whole program
    if (!m_graph.is(object, NodeKind::Call)) return trace(act, object, arguments, DangerLevel::C);
    const NodeId callee = m_graph.callee(object);
    const DangerLevel level = levelOfCall(callee, arguments, operation);
    if (level > DangerLevel::B || act == Act::Build) trace(act, callee, arguments, level);
}

void Runner::build() {
    const NodeId state = pop();
    const NodeId object = top();
    const NodeKind kind = m_graph.kind(object);
    if (kind == NodeKind::Call || kind == NodeKind::Global || kind == NodeKind::Unknown || kind == NodeKind::Persistent) {
        change(Act::Build, object, state, 'b');
        if (kind == NodeKind::Call) m_graph.append(object, Change::State, &state, 1);
    } else {
        stopAt(Stop::BadOperand); // plain values take no state
    }
    if (kind != NodeKind::Call || !m_machine.m_afterBuild) return;
    const std::uint64_t inlineBytes = m_machine.m_afterBuild(m_graph, object, m_tape.position());
    if (inlineBytes > 0 && !m_tape.skip(inlineBytes)) end(Stop::Truncated);
}

void Runner::setItems(NodeId object, std::size_t begin) {
    const std::size_t count = (m_stack.size() - begin) / 2 * 2;
    if ((m_stack.size() - begin) % 2 != 0) stopAt(Stop::BadOperand);
    const NodeKind kind = m_graph.kind(object);
    if (kind == NodeKind::Dict || kind == NodeKind::Call) m_graph.append(object, Change::Pairs, m_stack.data() + begin, count);
    if (kind != NodeKind::Dict) change(Act::SetItem, object, unknownNode, 's');
    if (kind != NodeKind::Dict && kind != NodeKind::Call) m_stream.breaksWeightsOnly = true;
}

void Runner::setTop() {
    const NodeId value = pop();
    const NodeId key = pop();
    const NodeId object = top();
    const std::size_t begin = m_stack.size();
    m_stack.insert(m_stack.end(), {key, value});
    setItems(object, begin);
    drop(begin);
}

void Runner::setMarked() {
    const std::size_t begin = std::min(beginOfMark(), m_stack.size());
    const NodeId object = begin > 0 ? m_stack[begin - 1] : unknownNode;
    if (begin == 0) stopAt(Stop::BadOperand);
    setItems(object, begin);
    drop(begin);
}

void Runner::appendItems(NodeId object, std::size_t begin) {
    const NodeKind kind = m_graph.kind(object);
    if (kind == NodeKind::List || kind == NodeKind::Call)
        m_graph.append(object, Change::Items, m_stack.data() + begin, m_stack.size() - begin);
    if (kind != NodeKind::List) {
        change(Act::Append, object, unknownNode, 'a');
        m_stream.breaksWeightsOnly = true;
    }
}

void Runner::appendTop() {
    const NodeId value = pop();
    const NodeId object = top();
    const std::size_t begin = m_stack.size();
    m_stack.push_back(value);
    appendItems(object, begin);
    drop(begin);
}

void Runner::appendMarked() {
    const std::size_t begin = std::min(beginOfMark(), m_stack.size());
    const NodeId object = begin > 0 ? m_stack[begin - 1] : unknownNode;
    if (begin == 0) stopAt(Stop::BadOperand);
    appendItems(object, begin);
    drop(begin);
}

void Runner::addMarked() {
    const std::size_t begin = std::min(beginOfMark(), m_stack.size());
    const NodeId object = begin > 0 ? m_stack[begin - 1] : unknownNode;
    if (begin == 0) stopAt(Stop::BadOperand);
    const NodeKind kind = m_graph.kind(object);
    if (kind == NodeKind::Set || kind == NodeKind::Call)
        m_graph.append(object, Change::Items, m_stack.data() + begin, m_stack.size() - begin);
    if (kind != NodeKind::Set) change(Act::Append, object, unknownNode, 'd');
    drop(begin);
}

void Runner::persistent(NodeId pid) { push(m_graph.make(NodeKind::Persistent, pid)); }

// FSDP's own checkpoints get one class out of another by its name, and nothing else may: getattr(ShardedTensor,
// 'ProcessGroupState').
void Runner::allowGetattrPair() {
    const auto isGetattr = [this](NodeId id) {
        if (!m_graph.is(id, NodeKind::Global) || m_graph.global(id).name != "getattr") return false;
        const auto [module, name] = mappedName(m_graph.global(id).module, m_graph.global(id).name);
        return module == "builtins" && name == "getattr";
    };
    const auto isThePair = [this](NodeId arguments) {
        const std::vector<NodeId> given = m_graph.items(arguments, 3);
        return given.size() == 2 && m_graph.text(given[1]) == "ProcessGroupState" &&
               m_graph.isGlobal(given[0], "torch.distributed._shard.sharded_tensor.api", "ShardedTensor");
    };
    bool isOnlyThePair = false;
    for (const TraceLine& line : m_stream.trace) {
        if (line.act == Act::Import || !isGetattr(line.object)) continue;
        isOnlyThePair = line.act == Act::Reduce && isThePair(line.arguments);
        if (!isOnlyThePair) return;
    }
    if (!isOnlyThePair) return;
    for (TraceLine& line : m_stream.trace) {
        if (isGetattr(line.object)) {
            line.level = DangerLevel::B;
            m_graph.setLevel(line.object, DangerLevel::B);
        }
        const bool isOfTheClass = m_graph.is(line.object, NodeKind::Call) && isGetattr(m_graph.callee(line.object));
        if (isOfTheClass && line.level == DangerLevel::C) line.level = DangerLevel::B;
    }
}

} // namespace wb::pickle
