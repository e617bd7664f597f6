// SPDX-License-Identifier: MIT
#include "core/convert/gguf/modelfile.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/convert/source/source_folder.h"
#include "core/convert/run/run_files.h"
#include "core/formats/gguf/gguf.h"
#include "core/io/atomic_writer.h"

#include <algorithm>
#include <array>

namespace wb::convert {
namespace {

// A text in quotes, as Ollama's parser reads it.
std::string quotedText(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n') out += "\\n";
        else out += c;
    }
    return out + '"';
}

// For a shell, unless nothing in it needs that.
std::string shellWord(const std::string& text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%";
    if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

Result<void> addStops(const Model& gguf, std::string& text) {
    std::vector<std::string> known;
    for (const char* const key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
        const Value* const id = gguf.metadata.find(key);
        const Value* const tokens = gguf.metadata.find("tokenizer.ggml.tokens");
        const auto number = id ? id->unsignedNumber() : std::nullopt;
        if (!number || !tokens || !tokens->array() || *number >= tokens->array()->count) continue;
        WB_TRY_ASSIGN(const auto token, gguf::readArray(gguf, "tokenizer.ggml.tokens", *number, 1));
        if (token.empty() || !token[0].string() || token[0].string()->empty()) continue;
        if (std::ranges::find(known, *token[0].string()) != known.end()) continue;
        known.push_back(*token[0].string());
        text += "PARAMETER stop " + quotedText(known.back()) + "\n";
    }
    return {};
}

void addNumber(std::string& text, std::string_view parameter, const Value* value) {
    const auto number = value ? value->number() : std::nullopt;
    if (number) text += fmt::format("PARAMETER {} {}\n", parameter, shortest(*number));
}

void addSampling(const ValueObject& config, std::string& text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> parameters = {
        {{"temperature", "temperature"},
         {"top_k", "top_k"},
         {"top_p", "top_p"},
         {"min_p", "min_p"},
         {"repetition_penalty", "repeat_penalty"}}};
    for (const auto& [member, parameter] : parameters) addNumber(text, parameter, findSet(config, member));
}

} // namespace

Result<std::string> modelfileText(const Model& gguf, const ValueObject* generationConfig, const std::string& fileName) {
    std::string text = "FROM ./" + fileName + "\n";
    WB_TRY(addStops(gguf, text));
    if (generationConfig) addSampling(*generationConfig, text);
    const Value* const architecture = gguf.metadata.find("general.architecture");
    if (architecture && architecture->string())
        addNumber(text, "num_ctx", gguf.metadata.find(*architecture->string() + ".context_length"));
    return text;
}

Result<std::string> writeModelfile(const std::filesystem::path& gguf, const Model* source, bool replace) {
    const std::filesystem::path place = gguf.parent_path() / "Modelfile";
    std::error_code ignored;
    if (!replace && std::filesystem::exists(place, ignored))
        return fail(ErrorCode::Invalid, run::targetExists, About{"Modelfile"},
                    WB_TEXT("{} already exists; choose another name, or allow replacing it."), "Modelfile");
    formats::OpenOptions open;
    open.strictness = formats::Strictness::Strict;
    WB_TRY_ASSIGN(const ModelPtr written, gguf::open(gguf, open));
    const Value* const settings = source ? source->metadata.find("generation_config.json") : nullptr;
    const std::string name = io::baseName(gguf);
    WB_TRY_ASSIGN(const std::string text, modelfileText(*written, settings ? settings->object() : nullptr, name));
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(place));
    WB_TRY(writer.write(text));
    WB_TRY(writer.commit());
    return ollamaCommand(name);
}

std::string ollamaCommand(const std::string& fileName) {
    std::string name;
    for (const char c : fileName.substr(0, fileName.rfind(".gguf"))) name += c == ' ' ? '-' : ascii::lower(c);
    return fmt::format("ollama create {} -f Modelfile", shellWord(name.empty() ? "model" : name));
}

std::string vllmCommand(const std::filesystem::path& folder, const ValueObject& config) {
    std::string command = "vllm serve " + shellWord(io::pathText(folder));
    const Value* const quantized = findSet(config, "quantization_config");
    const std::string_view method = quantized && quantized->object() ? memberText(*quantized->object(), "quant_method") : "";
    if (method == "awq" || method == "gptq" || method == "fp8") command += fmt::format(" --quantization {}", method);
    return command;
}

} // namespace wb::convert
