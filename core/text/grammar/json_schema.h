// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace wb::text {

// A JSON Schema as a grammar in GBNF whose texts are the JSON values that the schema allows, on one line or several, properties in
// the schema's order. Understood: type, properties, required, additionalProperties, items, prefixItems, minItems, maxItems, enum,
// const, oneOf and anyOf (as either), allOf of objects, $ref inside the document, minLength, maxLength, pattern (as pattern.h reads
// it), minimum and maximum, exclusive or not, format date, time, date-time and uuid; titles, descriptions, defaults and examples
// mean nothing. Numbers within bounds have no exponent. Any other keyword that would narrow the values is Unsupported by its name:
// it is never passed over. An object whose additionalProperties are not named has none next to its properties. Malformed if the
// text is not JSON or not a schema. `name` is the file's.
Result<std::string> grammarOfSchema(std::string_view json, const std::string& name);

} // namespace wb::text
