// SPDX-License-Identifier: MIT
#include "core/memory/serving/runtime_log.h"

#include "core/base/text.h"
#include "core/memory/amounts.h"

#include <algorithm>
#include <charconv>

namespace wb::memory {
namespace {

constexpr double logMib = 1 << 20;

constexpr bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
    return text;
}

std::string_view after(std::string_view line, std::string_view mark) {
    const std::size_t at = line.find(mark);
    return at == std::string_view::npos ? std::string_view() : trimmed(line.substr(at + mark.size()));
}

std::string_view lastWord(std::string_view text) {
    text = trimmed(text);
    const std::size_t space = text.find_last_of(" \t");
    return space == std::string_view::npos ? text : text.substr(space + 1);
}

std::optional<std::uint64_t> numberIn(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> bytesIn(std::string_view text) {
    const std::size_t unit = text.find(" MiB");
    const auto number = unit == std::string_view::npos ? std::nullopt : parseDouble(trimmed(text.substr(0, unit)));
    if (!number || !(*number >= 0)) return {};
    return asBytes(*number * logMib);
}

// Reads one line after the other.
class Reader {
public:
    void read(std::string_view line) {
        if (line.find("~llama") != std::string_view::npos) return; // what is freed at the end
        readBuffer(line);
        readCache(line);
        readDevice(line);
        readSettings(line);
        readModel(line);
    }

    bool isFound() const { return m_found; }
    RuntimeLog take() {
        for (RuntimeLog::Device& device : m_log.devices)
            for (const auto& [name, title] : m_titles)
                if (name == device.name) device.title = title;
        return std::move(m_log);
    }

private:
    // "load_tensors:        CUDA0 model buffer size =  6378.40 MiB"
    void readBuffer(std::string_view line) {
        const std::size_t at = line.find("buffer size =");
        if (at == std::string_view::npos) return;
        const auto bytes = bytesIn(trimmed(line.substr(at + 13)));
        std::string_view words = trimmed(line.substr(0, at));
        const std::string_view what = lastWord(words);
        words = trimmed(words.substr(0, words.size() - what.size()));
        const std::string_view where = lastWord(words);
        const auto kind = kindFromWord(what);
        if (!bytes || !kind || where.empty() || where.ends_with(':')) return;
        DeviceBytes& device = deviceNamed(std::string(where));
        device[*kind] = sum(device[*kind], *bytes);
        m_found = true;
        if (*kind == PartKind::Keys) m_cacheDevices.push_back({std::string(where), *bytes});
    }

    static std::optional<PartKind> kindFromWord(std::string_view word) {
        if (word == "model") return PartKind::Weights;
        if (word == "KV") return PartKind::Keys; // with the values, until the line of their sizes comes
        if (word == "RS") return PartKind::State;
        if (word == "compute") return PartKind::Compute;
        if (word == "output") return PartKind::Output;
        if (word == "LoRA") return PartKind::Lora;
        return {};
    }

    // "llama_kv_cache: size = 512.00 MiB (4096 cells, 32 layers, 1/1 seqs), K (f16): 256.00 MiB, V (f16): 256.00 MiB"
    void readCache(std::string_view line) {
        const std::size_t keys = line.find("K ("), values = line.find("V (");
        if (keys == std::string_view::npos || values == std::string_view::npos || values < keys) return;
        const auto typeAt = [&](std::size_t at) { return cacheTypeFromName(line.substr(at + 3, line.find(')', at) - at - 3)); };
        m_log.keyType = typeAt(keys);
        m_log.valueType = typeAt(values);
        const auto ofKeys = bytesIn(after(line.substr(keys), ":")), ofValues = bytesIn(after(line.substr(values), ":"));
        if (!ofKeys || !ofValues || *ofKeys + *ofValues == 0) return m_cacheDevices.clear();
        const double share = static_cast<double>(*ofValues) / static_cast<double>(*ofKeys + *ofValues);
        for (const auto& [name, bytes] : m_cacheDevices) {
            DeviceBytes& device = deviceNamed(name);
            const std::uint64_t moved = asBytes(share * static_cast<double>(bytes));
            device[PartKind::Keys] -= std::min(device[PartKind::Keys], moved);
            device[PartKind::Values] = sum(device[PartKind::Values], moved);
        }
        m_cacheDevices.clear();
    }

    // "… using device CUDA0 (NVIDIA GeForce RTX 5060 Ti) (0000:01:00.0) - 15849 MiB free"
    void readDevice(std::string_view line) {
        const std::string_view rest = after(line, "using device ");
        const std::size_t open = rest.find(" ("), close = rest.find(')');
        if (rest.empty() || open == std::string_view::npos || close == std::string_view::npos || close < open) return;
        m_titles.emplace_back(rest.substr(0, open), rest.substr(open + 2, close - open - 2));
    }

    void readSettings(std::string_view line) {
        const auto number = [&](std::string_view name, std::optional<std::uint64_t>& into) {
            const std::size_t at = line.find(name);
            if (at == std::string_view::npos || (at > 0 && !isSpace(line[at - 1]))) return;
            const std::string_view rest = trimmed(line.substr(at + name.size()));
            if (!rest.starts_with('=')) return;
            if (const auto value = numberIn(trimmed(rest.substr(1)))) into = value;
        };
        if (line.find("llama_context") != std::string_view::npos || line.find("llama_new_context") != std::string_view::npos) {
            number("n_ctx", m_log.context);
            number("n_batch", m_log.batch);
            number("n_ubatch", m_log.microBatch);
            number("n_seq_max", m_log.conversations);
            readFlag(line, "kv_unified", m_log.unified);
            readFlag(line, "flash_attn", m_log.flash);
        }
        // "load_tensors: offloaded 33/33 layers to GPU"
        if (const std::string_view rest = after(line, "offloaded "); rest.find("layers to GPU") != std::string_view::npos)
            m_log.gpuLayers = numberIn(rest);
        // "build: 9310 (e2ef8fe42) with GNU 12.2.0"
        if (const std::string_view rest = after(line, "build: "); m_log.build.empty() && numberIn(rest))
            m_log.build = rest.substr(0, rest.find(' '));
    }

    static void readFlag(std::string_view line, std::string_view name, std::optional<bool>& into) {
        const std::string_view rest = after(line, name);
        if (!rest.starts_with('=')) return;
        const std::string_view value = trimmed(rest.substr(1));
        if (value == "1" || value == "true" || value == "enabled" || value == "auto") into = true; // auto: wherever it works
        if (value == "0" || value == "false" || value == "disabled") into = false;
    }

    void readModel(std::string_view line) {
        const std::string_view name = after(line, "general.name");
        if (m_log.model.empty() && name.starts_with('=')) m_log.model = trimmed(name.substr(1));
    }

    DeviceBytes& deviceNamed(const std::string& name) {
        if (name.starts_with("CPU") || name.ends_with("_Host") || name == "BLAS") return m_log.processor;
        for (RuntimeLog::Device& device : m_log.devices)
            if (device.name == name) return device.bytes;
        if (m_log.devices.size() >= maxDevices) return m_log.processor;
        m_log.devices.push_back({name, {}, {}});
        if (name.starts_with("CUDA") || name.starts_with("ROCm")) m_log.backend = Backend::Cuda;
        if (name.starts_with("Vulkan")) m_log.backend = Backend::Vulkan;
        if (name.starts_with("Metal") || name.starts_with("MTL")) m_log.backend = Backend::Metal;
        return m_log.devices.back().bytes;
    }

    static constexpr std::size_t maxDevices = 64;
    RuntimeLog m_log;
    std::vector<std::pair<std::string, std::string>> m_titles;
    std::vector<std::pair<std::string, std::uint64_t>> m_cacheDevices; // whose keys and values were one number
    bool m_found = false;
};

} // namespace

Settings RuntimeLog::applyTo(Settings settings) const {
    settings.runtime = Runtime::LlamaCpp;
    settings.context = context.value_or(settings.context);
    settings.batch = batch.value_or(settings.batch);
    settings.microBatch = microBatch.value_or(settings.microBatch);
    settings.conversations = conversations.value_or(settings.conversations);
    settings.unified = unified.value_or(settings.unified);
    settings.flash = flash.value_or(settings.flash);
    settings.keyType = keyType.value_or(settings.keyType);
    settings.valueType = valueType.value_or(settings.valueType);
    settings.gpuLayers = devices.empty() ? 0 : gpuLayers.value_or(allLayers);
    settings.backend = devices.empty() ? std::nullopt : backend;
    if (devices.size() < 2) settings.split.clear();
    return settings;
}

Result<RuntimeLog> readRuntimeLog(std::string_view text, const std::string& file) {
    Reader reader;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        reader.read(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (!reader.isFound())
        return fail(ErrorCode::Malformed, Reason("memory.no_buffers"), About{file},
                    WB_TEXT("{} contains no llama.cpp buffer sizes; choose a load log (for llama-server, run it with -v)."), file);
    return reader.take();
}

} // namespace wb::memory
