// SPDX-License-Identifier: MIT
#include "gpu/compute/speed_model.h"

#include "core/tensor/half.h"

#include <algorithm>
#include <cstring>

namespace wb::gpu::compute {
namespace {

constexpr std::uint64_t contextLength = 4096;

// Bytes of the model's only file.
class Weights {
public:
    // Whole blocks of random bytes with these f16 scales at these bytes of each; the offset of the first.
    struct Scale {
        std::size_t at;
        float value;
    };
    std::uint64_t addBlocks(Dtype dtype, std::uint64_t elements, std::initializer_list<Scale> scales) {
        const std::size_t begin = m_bytes.size(), block = info(dtype).blockBytes;
        m_bytes.resize(begin + *rowBytes(dtype, elements));
        for (std::size_t i = begin; i < m_bytes.size(); i += 2) {
            const std::uint16_t word = random();
            std::memcpy(&m_bytes[i], &word, 2);
        }
        for (std::size_t at = begin; at < m_bytes.size(); at += block)
            for (const Scale& scale : scales) {
                const std::uint16_t bits = f32ToF16(scale.value);
                std::memcpy(&m_bytes[at + scale.at], &bits, 2);
            }
        return begin;
    }

    std::uint64_t addOnes(std::uint64_t count) {
        const std::size_t begin = m_bytes.size();
        const std::vector<float> ones(count, 1.0F);
        const auto bytes = std::as_bytes(std::span(ones));
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        return begin;
    }

    std::vector<std::byte> take() { return std::move(m_bytes); }

private:
    // xorshift32
    std::uint16_t random() {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 17;
        m_state ^= m_state << 5;
        return static_cast<std::uint16_t>(m_state >> 8);
    }

    std::vector<std::byte> m_bytes;
    std::uint32_t m_state = 1;
};

class Builder {
public:
    explicit Builder(const SpeedModelSize& size) : m_size(size), m_model(std::make_shared<Model>()) {
        const std::uint64_t largest = std::max(size.vocabulary, size.inner) * size.width;
        Weights weights;
        m_q4 = weights.addBlocks(Dtype::Q4_K, largest, {{0, 2e-4F}, {2, 1.5e-3F}});
        m_q6 = weights.addBlocks(Dtype::Q6_K, largest, {{208, 2e-5F}});
        m_ones = weights.addOnes(size.width);
        auto source = std::make_shared<io::MemorySource>("speed.gguf", weights.take());
        m_model->format = FormatId::Gguf;
        m_model->path = "speed.gguf";
        m_model->architecture = "llama";
        m_model->files.push_back({"speed.gguf", source->size(), {}, source});
    }

    ModelPtr make() {
        const auto& [layers, width, inner, heads, kvHeads, vocabulary] = m_size;
        m_model->metadata.members.push_back({"general.architecture", Value::of(std::string("llama"))});
        setNumber("block_count", layers);
        setNumber("context_length", contextLength);
        setNumber("embedding_length", width);
        setNumber("feed_forward_length", inner);
        setNumber("attention.head_count", heads);
        setNumber("attention.head_count_kv", kvHeads);
        setValue("attention.layer_norm_rms_epsilon", Value::ofFloat(ValueType::F32, 1e-5));
        addMatrix("token_embd.weight", vocabulary, width);
        addMatrix("output.weight", vocabulary, width, true);
        addNorm("output_norm.weight");
        const std::uint64_t ofCache = width / heads * kvHeads;
        for (std::uint64_t layer = 0; layer < layers; ++layer) {
            const std::string prefix = "blk." + std::to_string(layer) + ".";
            addNorm(prefix + "attn_norm.weight");
            addMatrix(prefix + "attn_q.weight", width, width);
            addMatrix(prefix + "attn_k.weight", ofCache, width);
            addMatrix(prefix + "attn_v.weight", ofCache, width);
            addMatrix(prefix + "attn_output.weight", width, width);
            addNorm(prefix + "ffn_norm.weight");
            addMatrix(prefix + "ffn_gate.weight", inner, width);
            addMatrix(prefix + "ffn_up.weight", inner, width);
            addMatrix(prefix + "ffn_down.weight", width, inner);
        }
        m_model->metadata.count = m_model->metadata.members.size();
        return m_model;
    }

private:
    void setValue(const std::string& key, Value value) { m_model->metadata.members.push_back({"llama." + key, std::move(value)}); }
    void setNumber(const std::string& key, std::uint64_t number) { setValue(key, Value::ofUnsigned(ValueType::U32, number)); }

    void addTensor(std::string name, Dtype dtype, std::initializer_list<std::uint64_t> shape, std::uint64_t offset) {
        TensorInfo tensor;
        tensor.name = std::move(name);
        tensor.dtype = dtype;
        tensor.shape = *Shape::make(shape);
        tensor.source = TensorSource::stored(0, offset, *rowBytes(dtype, tensor.shape.elements()));
        m_model->tensors.push_back(std::move(tensor));
    }
    void addMatrix(std::string name, std::uint64_t rows, std::uint64_t columns, bool isOutput = false) {
        addTensor(std::move(name), isOutput ? Dtype::Q6_K : Dtype::Q4_K, {rows, columns}, isOutput ? m_q6 : m_q4);
    }
    void addNorm(std::string name) { addTensor(std::move(name), Dtype::F32, {m_size.width}, m_ones); }

    const SpeedModelSize m_size;
    std::shared_ptr<Model> m_model;
    std::uint64_t m_q4 = 0, m_q6 = 0, m_ones = 0;
};

} // namespace

ModelPtr makeSpeedModel(const SpeedModelSize& size) { return Builder(size).make(); }

} // namespace wb::gpu::compute
