// SPDX-License-Identifier: MIT
#include "core/formats/tensorrt/tensorrt.h"

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/formats/json/json.h"
#include "core/io/random_reader.h"

#include <algorithm>
#include <array>

namespace wb::tensorrt {
namespace {

constexpr formats::Tasks taskNames{"tensorrt.index"};
constexpr std::uint64_t maxJson = 1 << 20;
constexpr std::uint64_t searched = 16 << 20; // bytes that are searched for texts
constexpr std::size_t maxTexts = 1000, shortest = 8, longest = 200;

std::uint32_t load32(std::span<const std::byte> bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
    return value;
}

bool isSign(std::string_view text) { return text.starts_with("ptrt") || text.starts_with("ftrt"); }

bool isShown(std::byte byte) {
    const auto c = std::to_integer<unsigned>(byte);
    return c >= 0x20 && c < 0x7F;
}

// Texts of the file, each once, in their order.
std::vector<std::string> findTexts(const io::ByteSource& source, const Progress& progress) {
    constexpr std::uint64_t slab = 1 << 20;
    std::vector<std::string> texts;
    std::string run;
    std::vector<std::byte> bytes;
    const auto end = std::min(source.size(), searched);
    const auto take = [&] {
        const bool isText =
            run.size() >= shortest && std::ranges::any_of(run, [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; });
        if (isText && std::ranges::find(texts, run) == texts.end()) texts.push_back(run);
        run.clear();
    };
    for (std::uint64_t at = 0; at < end && texts.size() < maxTexts && !progress.stop.stop_requested(); at += bytes.size()) {
        bytes.resize(std::min(slab, end - at));
        if (!source.readAt(at, bytes)) return texts;
        for (const std::byte byte : bytes) {
            if (isShown(byte) && run.size() < longest) run += static_cast<char>(byte);
            else take();
            if (texts.size() == maxTexts) break;
        }
    }
    return texts;
}

} // namespace

bool sniff(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (head.size() < 12) return isSign(text);
    const std::uint64_t json = load32(head);
    return isSign(text) || (text[4] == '{' && json > 1 && 4 + json + 4 <= head.size() && isSign(text.substr(4 + json)));
}

Result<formats::Index> readIndex(const formats::Sources& sources, std::string_view, const formats::OpenOptions& options) {
    const io::ByteSource& source = *sources.at(0);
    formats::Findings findings(source.name(), options.strictness);
    formats::Index index(1);
    Model& model = index.model;
    model.format = FormatId::TensorRt;
    const auto add = [&](const char* key, Value value) { model.metadata.members.push_back({key, std::move(value)}); };
    io::RandomReader file(source);
    std::uint64_t begin = 0;
    if (!file.hasText(0, "ptrt") && !file.hasText(0, "ftrt")) {
        const auto length = file.read<std::uint32_t>(0);
        const std::string text = file.text(4, length, maxJson);
        begin = 4 + std::uint64_t{length};
        std::vector<Problem> ignored;
        if (auto json = json::parse(text, source.name(), options.limits, ignored)) add("prefix", *std::move(json));
    }
    if (!file.hasText(begin, "ptrt") && !file.hasText(begin, "ftrt"))
        return findings.refuse(ErrorCode::Malformed, "tensorrt.magic", WB_TEXT("{} is not a TensorRT engine."));
    if (source.size() - begin >= 16) {
        add("version_code", Value::ofUnsigned(ValueType::U32, file.read<std::uint32_t>(begin + 4)));
        const auto bytes = file.read<std::uint64_t>(begin + 8);
        add("bytes", Value::ofUnsigned(ValueType::U64, bytes));
        if (bytes > source.size() - begin)
            findings.add(Severity::Warning, "tensorrt.size", begin + 8,
                         WB_TEXT("{} is shorter than its header says; it may be truncated."));
    }
    ValueArray texts;
    for (std::string& text : findTexts(source, options.progress)) texts.first.push_back(Value::of(std::move(text)));
    texts.count = texts.first.size();
    texts.elementType = ValueType::String;
    add("texts", Value::of(std::move(texts)));
    findings.add(Severity::Note, "tensorrt.device_code", std::nullopt,
                 WB_TEXT("{} contains device code: its weights cannot be inspected, and loading it runs the code."));
    model.metadata.count = model.metadata.members.size();
    model.problems = findings.take();
    return index;
}

std::span<const worker::WorkerTask> tasks() { return formats::taskTable<taskNames, readIndex>(); }

Result<ModelPtr> open(const std::filesystem::path& path, const formats::OpenOptions& options) {
    return formats::openFile(taskNames, path, options);
}

} // namespace wb::tensorrt
