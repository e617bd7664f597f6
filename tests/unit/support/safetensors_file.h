// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace wb::test {

// A safetensors file of a header as it is given, filled with blanks to a multiple of 8, and data.
inline std::string safetensorsFile(std::string header, const std::string& data) {
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 0xff);
    return length + header + data;
}

// A tensor of F32 elements; the shape is JSON, "[2,3]".
struct FloatTensor {
    std::string name;
    std::string shape;
    std::vector<float> values;
};

inline std::string safetensorsFile(const std::vector<FloatTensor>& tensors) {
    std::string header = "{", data;
    for (const FloatTensor& tensor : tensors) {
        const std::size_t begin = data.size(), bytes = tensor.values.size() * sizeof(float);
        data.resize(begin + bytes);
        if (bytes > 0) std::memcpy(data.data() + begin, tensor.values.data(), bytes);
        header += (header.size() == 1 ? "" : ",") +
                  ("\"" + tensor.name + "\":{\"dtype\":\"F32\",\"shape\":" + tensor.shape + ",\"data_offsets\":[" +
                   std::to_string(begin) + "," + std::to_string(data.size()) + "]}");
    }
    return safetensorsFile(header + "}", data);
}

} // namespace wb::test
