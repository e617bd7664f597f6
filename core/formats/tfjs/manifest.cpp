// SPDX-License-Identifier: MIT
#include "core/formats/tfjs/manifest.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::tfjs {
namespace {

using json::Scanner;
using json::Token;

constexpr std::size_t maxFacts = 1000, maxPaths = 10'000, maxRank = 32, maxOperators = 1000;

class ManifestReader {
public:
    ManifestReader(std::string_view text, std::uint64_t mostWeights)
        : m_scanner(text, Scanner::greatestDepth), m_mostWeights(mostWeights) {}

    Manifest read() {
        const Token first = m_scanner.next();
        bool isFine = false;
        if (first == Token::BeginArray) isFine = readGroups();
        else if (first == Token::BeginObject)
            isFine = members([&](const std::string& key) {
                if (key == "weightsManifest") return m_scanner.next() == Token::BeginArray && readGroups();
                if (key == "modelTopology") return readTopology();
                return readFact(key);
            });
        if (!isFine) m_manifest.badAt = m_scanner.position();
        return std::move(m_manifest);
    }

private:
    // Asks `take` for the value of every member of the object that is open; it reads the whole value.
    template <typename Take>
    bool members(Take take) {
        for (Token token = m_scanner.next();; token = m_scanner.next()) {
            if (token == Token::EndObject) return true;
            if (token != Token::Key) return false;
            const std::string key(m_scanner.text().substr(0, 1000));
            if (!take(key)) return false;
        }
    }

    // Reads a value without keeping it.
    bool skip() { return skipFrom(m_scanner.next()); }
    bool skipFrom(Token token) {
        if (token != Token::BeginObject && token != Token::BeginArray)
            return token != Token::Bad && token != Token::End && token != Token::EndArray && token != Token::EndObject;
        const unsigned depth = m_scanner.depth();
        while (token != Token::Bad && token != Token::End && m_scanner.depth() >= depth) token = m_scanner.next();
        return token != Token::Bad && token != Token::End;
    }

    bool readFact(const std::string& key) {
        const Token token = m_scanner.next();
        if (m_manifest.facts.size() < maxFacts) {
            if (token == Token::String)
                m_manifest.facts.push_back({toUtf8(key), Value::of(toUtf8(m_scanner.text().substr(0, 4096)))});
            if (token == Token::Number)
                m_manifest.facts.push_back(
                    {toUtf8(key), Value::ofFloat(ValueType::F64, parseDouble(m_scanner.text()).value_or(0))});
        }
        return skipFrom(token);
    }

    // The nodes of a graph have "op", the layers of Keras "class_name".
    bool readTopology() {
        Token token = m_scanner.next();
        if (token != Token::BeginObject) return skipFrom(token);
        const unsigned depth = m_scanner.depth();
        while (m_scanner.depth() >= depth) {
            token = m_scanner.next();
            if (token == Token::Bad || token == Token::End) return false;
            if (token != Token::Key || (m_scanner.text() != "op" && m_scanner.text() != "class_name")) continue;
            token = m_scanner.next();
            if (token == Token::Bad || token == Token::End) return false;
            if (token != Token::String) continue;
            const std::string type = toUtf8(m_scanner.text().substr(0, 200));
            if (m_manifest.operators.size() < maxOperators || m_manifest.operators.contains(type)) ++m_manifest.operators[type];
        }
        return true;
    }

    bool readGroups() {
        for (Token token = m_scanner.next(); token != Token::EndArray; token = m_scanner.next()) {
            if (token != Token::BeginObject) return false;
            Group& group = m_manifest.groups.emplace_back();
            const bool isFine = members([&](const std::string& key) {
                if (key == "paths") return readPaths(group);
                if (key == "weights") return m_scanner.next() == Token::BeginArray && readWeights(group);
                return skip();
            });
            if (!isFine) return false;
        }
        return true;
    }

    bool readPaths(Group& group) {
        if (m_scanner.next() != Token::BeginArray) return false;
        for (Token token = m_scanner.next(); token != Token::EndArray; token = m_scanner.next()) {
            if (token != Token::String || ++m_paths > maxPaths) return false;
            group.paths.emplace_back(m_scanner.text());
        }
        return true;
    }

    bool readWeights(Group& group) {
        for (Token token = m_scanner.next(); token != Token::EndArray; token = m_scanner.next()) {
            if (token != Token::BeginObject || ++m_weights > m_mostWeights) return false;
            Weight& weight = group.weights.emplace_back();
            const bool isFine = members([&](const std::string& key) {
                if (key == "name") return readText(weight.name);
                if (key == "dtype") return readText(weight.dtype);
                if (key == "shape") return readShape(weight);
                if (key == "quantization") return readQuantization(weight);
                return skip();
            });
            if (!isFine) return false;
        }
        return true;
    }

    bool readText(std::string& out) {
        if (m_scanner.next() != Token::String) return false;
        out = m_scanner.text();
        return true;
    }

    bool readShape(Weight& weight) {
        if (m_scanner.next() != Token::BeginArray) return false;
        for (Token token = m_scanner.next(); token != Token::EndArray; token = m_scanner.next()) {
            const auto side = token == Token::Number ? json::unsignedInteger(m_scanner.text()) : std::nullopt;
            if (!side || weight.shape.size() == maxRank) return false;
            weight.shape.push_back(*side);
        }
        return true;
    }

    bool readQuantization(Weight& weight) {
        const Token token = m_scanner.next();
        if (token != Token::BeginObject) return skipFrom(token);
        Quantization& quantization = weight.quantization.emplace();
        return members([&](const std::string& key) {
            if (key == "dtype") return readText(quantization.dtype);
            if (key != "scale" && key != "min") return skip();
            if (m_scanner.next() != Token::Number) return false;
            (key == "scale" ? quantization.scale : quantization.min) = parseDouble(m_scanner.text()).value_or(0);
            return true;
        });
    }

    Scanner m_scanner;
    std::uint64_t m_mostWeights;
    std::uint64_t m_weights = 0;
    std::size_t m_paths = 0;
    Manifest m_manifest;
};

} // namespace

Manifest readManifest(std::string_view text, std::uint64_t mostWeights) { return ManifestReader(text, mostWeights).read(); }

} // namespace wb::tfjs
