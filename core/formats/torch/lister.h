// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/formats/torch/tensor_value.h"
#include "core/model/model.h"

#include <functional>
#include <map>

namespace wb::torch {

// Where the bytes of a storage are; empty where they are not in the file, with the reason in `why`.
struct StoragePlace {
    std::optional<std::uint64_t> offset; // in the file
    std::uint64_t bytes = 0;
    std::string member;
    std::string why;
};

// Turns tensor values into the tensors of a model: looks their storages up, checks that sizes and strides stay inside them, finds
// shared and unused bytes.
class Lister {
public:
    using FindStorage = std::function<StoragePlace(const Storage& storage)>;

    Lister(const io::ByteSource& source, Model& model, formats::Findings& findings, const formats::Limits& limits, FindStorage find)
        : m_source(source), m_model(model), m_findings(findings), m_limits(limits), m_find(std::move(find)) {}

    // False where no more tensors are listed.
    bool add(const std::string& name, const TensorValue& value);

    // After the last one: fills TensorDetails and reports unused bytes.
    void finish();

private:
    struct Use {
        std::size_t tensor;
        std::uint64_t begin; // bytes of the storage
        std::uint64_t end;
    };
    struct Shared {
        StoragePlace place;
        std::vector<Use> uses;
        bool isRead = false; // its values describe other tensors
    };

    void addDense(const std::string& name, const TensorValue& value);
    void addSparse(const std::string& name, const TensorValue& value);
    void addNested(const std::string& name, const TensorValue& value);
    void addChanged(const std::string& name, const TensorValue& value);
    std::optional<TensorInfo> describe(const std::string& name, const TensorValue& value);
    void place(TensorInfo& tensor, const TensorValue& value);
    Shared& sharedStorage(const Storage& storage);

    std::optional<std::vector<std::int64_t>> tensorIntegers(const TensorValue& value);

    const io::ByteSource& m_source;
    Model& m_model;
    formats::Findings& m_findings;
    const formats::Limits& m_limits;
    FindStorage m_find;
    std::map<std::string, Shared> m_storages; // by key
    std::map<std::size_t, TensorDetails> m_details;
};

// Lists every tensor of a graph under its name: the keys of the containers that lead to it, joined by dots, behind
// `prefix` where there is one. What else the
// containers hold becomes Model::metadata; it is returned, too, also where it is no dictionary.
std::optional<Value> listGraph(const pickle::Graph& graph, pickle::NodeId root, const TensorReading& reading, Lister& lister,
                               Model& model, formats::Findings& findings, const formats::Limits& limits,
                               const std::string& prefix = {});

} // namespace wb::torch
