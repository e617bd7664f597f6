// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <string>

namespace wb::test {

// Compares the tensors of a model with ../shared/fixtures/<fixture>.expected.json (its README says what the fields mean): names,
// types, shapes, and the values by their sha256, or where the fixture allows a deviation by the first four. A failure is one of the
// running test, with the tensor's name. Other tensors of the model are not looked at. Returns how many of them have a type that
// this program does not decode, so that only name, type and shape were compared.
std::size_t expectTruth(const Model& model, const std::string& fixture);

// The same where the fixture hashes the stored bytes of its tensors (`hash_of`): these are read from their place in the file, and
// logical tensors are compared as values.
std::size_t expectStoredTruth(const Model& model, const std::string& fixture);

// The values as the fixtures hash them: contiguous, little endian, a byte for each element of a type below a byte.
std::string hashOfValues(const Model& model, const TensorInfo& tensor);

} // namespace wb::test
