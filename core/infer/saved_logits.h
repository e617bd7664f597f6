// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine.h"
#include "core/io/atomic_writer.h"
#include "core/io/byte_source.h"

#include <memory>
#include <optional>
#include <vector>

// Logits of a text as llama-perplexity saves them (ggml-org/llama.cpp: tools/perplexity/perplexity.cpp;
// docs/reference/inference.md, "Perplexity and KLD"):
//   "_logits_", u32 context, i32 vocabulary, i32 windows, i32 tokens [windows][context],
//   then for each window and each of its positions context/2 … context-2 a record of u16:
//     f32 scale, f32 lowest log-probability, codes [vocabulary], one more where the vocabulary is odd
// A log-probability is scale * code + lowest; the content more than 16 below the best is cut off there.
namespace wb::infer {

struct SavedLogitsHead {
    std::uint32_t context = 0;
    std::uint32_t vocabulary = 0;
    std::vector<Token> tokens; // of all windows, as in the text, without an added first token

    std::size_t windows() const { return context == 0 ? 0 : tokens.size() / context; }
    std::size_t positions() const { return context - 1 - context / 2; } // of each window that have a record
    std::size_t recordBytes() const { return (std::size_t{vocabulary} + 1) / 2 * 4 + 8; }
};

// Writes such a file, atomically.
class LogitsWriter {
public:
    static Result<LogitsWriter> create(const std::filesystem::path& path, const SavedLogitsHead& head);

    // The logits of the next positions, [positions][vocabulary].
    Result<void> add(std::span<const float> logits);
    Result<void> commit() { return m_writer.commit(); }

private:
    LogitsWriter(io::AtomicWriter writer, std::size_t vocabulary) : m_writer(std::move(writer)), m_vocabulary(vocabulary) {}

    io::AtomicWriter m_writer;
    std::size_t m_vocabulary;
    std::vector<std::byte> m_record;
};

// Reads such a file. Malformed, with its name, where it is truncated or says something impossible.
class LogitsReader {
public:
    static Result<LogitsReader> open(const std::filesystem::path& path);
    static Result<LogitsReader> open(std::shared_ptr<const io::ByteSource> source);

    const SavedLogitsHead& head() const { return m_head; }

    // The log-probabilities of position `index` of all that are saved, in their order. Thread-safe.
    Result<void> read(std::size_t index, std::span<float> out) const;

private:
    std::shared_ptr<const io::ByteSource> m_source;
    SavedLogitsHead m_head;
    std::uint64_t m_firstRecord = 0;
};

} // namespace wb::infer
