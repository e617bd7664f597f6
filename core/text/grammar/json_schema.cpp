// SPDX-License-Identifier: MIT
#include "core/text/grammar/json_schema.h"

#include "core/base/json_writer.h"
#include "core/formats/json/json.h"
#include "core/text/grammar/grammar.h"
#include "core/text/grammar/number_ranges.h"
#include "core/text/grammar/pattern.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace wb::text {
namespace {

// Rules that all schemas share. Blanks are few, so that a model cannot write them for ever.
constexpr std::string_view sharedRules = R"(space ::= | " " | "\n" [ \t]{0,20}
boolean ::= ("true" | "false") space
null ::= "null" space
char ::= [^"\\\x7F\x00-\x1F] | [\\] (["\\bfnrt/] | "u" [0-9a-fA-F]{4})
integral ::= [0] | [1-9] [0-9]{0,15}
number ::= "-"? integral ("." [0-9]{1,16})? ([eE] [-+]? [0-9] [0-9]{0,15})? space
integer ::= "-"? integral space
string ::= "\"" char* "\"" space
value ::= object | array | string | number | boolean | null
object ::= "{" space (string ":" space value ("," space string ":" space value)*)? "}" space
array ::= "[" space (value ("," space value)*)? "]" space
date ::= [0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [1-2] [0-9] | "3" [0-1])
time ::= ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{3})? ("Z" | [-+] ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9])
date-text ::= "\"" date "\"" space
time-text ::= "\"" time "\"" space
date-time-text ::= "\"" date "T" time "\"" space
uuid-text ::= "\"" [0-9a-fA-F]{8} "-" [0-9a-fA-F]{4} "-" [0-9a-fA-F]{4} "-" [0-9a-fA-F]{4} "-" [0-9a-fA-F]{12} "\"" space
)";

constexpr std::array ignored = {"title",     "description", "default",  "examples",        "example",    "$schema",
                                "$id",       "$comment",    "$defs",    "definitions",     "deprecated", "readOnly",
                                "writeOnly", "$anchor",     "nullable", "propertyOrdering"};

constexpr std::array understood = {"type",
                                   "properties",
                                   "required",
                                   "additionalProperties",
                                   "items",
                                   "prefixItems",
                                   "minItems",
                                   "maxItems",
                                   "enum",
                                   "const",
                                   "oneOf",
                                   "anyOf",
                                   "allOf",
                                   "$ref",
                                   "minLength",
                                   "maxLength",
                                   "minimum",
                                   "maximum",
                                   "format",
                                   "pattern",
                                   "exclusiveMinimum",
                                   "exclusiveMaximum"};

constexpr unsigned greatestDepth = 60;
constexpr std::uint64_t greatestCount = 2000; // of items and characters that a schema asks for

bool contains(const auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

// The text as a literal of GBNF.
std::string literal(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        if (c == '\n') quoted += "\\n";
        else if (c == '\r') quoted += "\\r";
        else if (c == '\t') quoted += "\\t";
        else quoted += c;
    }
    return quoted + "\"";
}

void writeJson(JsonWriter& json, const Value& value) {
    if (const auto* object = value.object()) {
        json.beginObject();
        for (const Member& member : object->members) {
            json.key(member.key);
            writeJson(json, member.value);
        }
        json.endObject();
    } else if (const auto* array = value.array()) {
        json.beginArray();
        for (const Value& element : array->first) writeJson(json, element);
        json.endArray();
    } else if (const auto* text = value.string()) json.string(*text);
    else if (const auto* flag = std::get_if<bool>(&value.data)) json.boolean(*flag);
    else if (const auto* whole = std::get_if<std::int64_t>(&value.data)) json.integer(*whole);
    else if (const auto* count = std::get_if<std::uint64_t>(&value.data)) json.integer(*count);
    else if (const auto* real = std::get_if<double>(&value.data)) json.number(*real);
    else json.null();
}

std::string valueJson(const Value& value) {
    std::string text;
    JsonWriter json([&text](std::string_view part) { text += part; });
    writeJson(json, value);
    json.finish();
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

class Converter {
public:
    Converter(const Value& root, const std::string& name) : m_root(root), m_name(name) {}

    Result<std::string> convert() {
        WB_TRY_ASSIGN(const std::string body, expression(m_root, 0));
        m_rules = "root ::= space " + body + "\n" + m_rules;
        return m_rules + std::string(sharedRules);
    }

private:
    std::unexpected<Error> unsupported(std::string_view what) const {
        return fail(ErrorCode::Unsupported, Reason("schema.unsupported"), About{m_name},
                    WB_TEXT("{} uses {} of JSON Schema, which is not supported; remove it."), m_name, what);
    }
    std::unexpected<Error> malformed(std::string_view where) const {
        return fail(ErrorCode::Malformed, Reason("schema.malformed"), About{m_name},
                    WB_TEXT("{} is not a valid JSON Schema: {} has the wrong form."), m_name, where);
    }

    // The values that a schema allows, as the right side of a rule, in brackets where it has alternatives.
    Result<std::string> expression(const Value& schema, unsigned depth) {
        if (depth > greatestDepth) return malformed("its depth");
        if (const bool* flag = std::get_if<bool>(&schema.data)) return *flag ? Result<std::string>("value") : unsupported("false");
        const ValueObject* const object = schema.object();
        if (!object || !object->complete()) return malformed("a schema");
        for (const Member& member : object->members)
            if (!contains(understood, member.key) && !contains(ignored, member.key)) return unsupported(member.key);
        if (const Value* reference = object->find("$ref")) return referred(*reference, depth);
        if (const Value* constant = object->find("const")) return literal(valueJson(*constant)) + " space";
        if (const Value* values = object->find("enum")) return oneOf(*values);
        for (const char* key : {"oneOf", "anyOf"})
            if (const Value* choices = object->find(key)) return either(*choices, key, depth);
        if (object->find("allOf")) return object_(*object, depth);
        return typed(*object, depth);
    }

    Result<std::string> oneOf(const Value& values) const {
        const ValueArray* const array = values.array();
        if (!array || array->first.empty() || !array->complete()) return malformed("enum");
        std::string all;
        for (const Value& value : array->first) all += (all.empty() ? "" : " | ") + literal(valueJson(value));
        return "(" + all + ") space";
    }

    Result<std::string> either(const Value& choices, const char* key, unsigned depth) {
        const ValueArray* const array = choices.array();
        if (!array || array->first.empty() || !array->complete()) return malformed(key);
        std::string all;
        for (const Value& choice : array->first) {
            WB_TRY_ASSIGN(const std::string one, expression(choice, depth + 1));
            all += (all.empty() ? "" : " | ") + one;
        }
        return "(" + all + ")";
    }

    // A separate rule for a reference, so that schemas may hold themselves.
    Result<std::string> referred(const Value& reference, unsigned depth) {
        const std::string* const path = reference.string();
        if (!path) return malformed("$ref");
        const auto known = m_references.find(*path);
        if (known != m_references.end()) return known->second;
        WB_TRY_ASSIGN(const Value* const target, find(*path));
        const std::string rule = "ref-" + std::to_string(m_references.size());
        m_references.emplace(*path, rule);
        WB_TRY_ASSIGN(const std::string body, expression(*target, depth + 1));
        m_rules += rule + " ::= " + body + "\n";
        return rule;
    }

    Result<const Value*> find(std::string_view path) const {
        if (!path.starts_with('#')) return unsupported("$ref to another document");
        const Value* at = &m_root;
        path.remove_prefix(1);
        while (!path.empty()) {
            if (path.front() != '/' || !at->object()) return malformed("$ref");
            path.remove_prefix(1);
            const std::string_view key = path.substr(0, path.find('/'));
            path.remove_prefix(key.size());
            at = at->object()->find(unescaped(key));
            if (!at) return malformed("$ref");
        }
        return at;
    }

    static std::string unescaped(std::string_view key) {
        std::string plain;
        for (std::size_t i = 0; i < key.size(); ++i) {
            const bool isEscape = key[i] == '~' && i + 1 < key.size();
            plain += isEscape ? (key[i + 1] == '1' ? '/' : '~') : key[i];
            i += isEscape;
        }
        return plain;
    }

    Result<std::string> typed(const ValueObject& schema, unsigned depth) {
        const Value* const type = schema.find("type");
        if (!type) {
            const auto has = [&schema](const char* key) { return schema.find(key) != nullptr; };
            if (has("properties") || has("additionalProperties") || has("required")) return object_(schema, depth);
            if (has("items") || has("prefixItems") || has("minItems") || has("maxItems")) return array(schema, depth);
            if (has("minLength") || has("maxLength") || has("format") || has("pattern")) return string(schema);
            if (hasBounds(schema)) return number(schema);
            return std::string("value");
        }
        if (const std::string* name = type->string()) return ofType(*name, schema, depth);
        const ValueArray* const names = type->array();
        if (!names || names->first.empty()) return malformed("type");
        std::string all;
        for (const Value& name : names->first) {
            if (!name.string()) return malformed("type");
            WB_TRY_ASSIGN(const std::string one, ofType(*name.string(), schema, depth));
            all += (all.empty() ? "" : " | ") + one;
        }
        return "(" + all + ")";
    }

    Result<std::string> ofType(const std::string& type, const ValueObject& schema, unsigned depth) {
        if (type == "object") return object_(schema, depth);
        if (type == "array") return array(schema, depth);
        if (type == "string") return string(schema);
        if (type == "integer") return integer(schema);
        if (type == "number") return hasBounds(schema) ? number(schema) : Result<std::string>("number");
        if (type == "boolean" || type == "null") return type;
        return malformed("type");
    }

    Result<std::uint64_t> count(const ValueObject& schema, const char* key, std::uint64_t otherwise) const {
        const Value* const value = schema.find(key);
        if (!value) return otherwise;
        const auto number = value->unsignedNumber();
        if (!number) return malformed(key);
        if (*number > greatestCount)
            return fail(ErrorCode::TooLarge, Reason("schema.too_large"), About{m_name},
                        WB_TEXT("{} requires a {} of {}; the maximum is {}."), m_name, key, *number, greatestCount);
        return *number;
    }

    static std::string times(std::uint64_t low, std::uint64_t high, bool isBounded) {
        return "{" + std::to_string(low) + "," + (isBounded ? std::to_string(high) : "") + "}";
    }

    // A separate rule, so that its brackets do not nest in those of the schema.
    Result<std::string> valuePattern(const Value& value) {
        if (!value.string()) return malformed("pattern");
        const auto expression = expressionOfPattern(*value.string());
        if (!expression) return unsupported(expression.error());
        return "\"\\\"\" " + addRule(*expression) + " \"\\\"\" space";
    }

    Result<std::string> string(const ValueObject& schema) {
        if (const Value* pattern = schema.find("pattern")) {
            for (const char* key : {"minLength", "maxLength", "format"})
                if (schema.find(key)) return unsupported(std::string("pattern together with ") + key);
            return valuePattern(*pattern);
        }
        if (const Value* format = schema.find("format"); format && format->string()) {
            const std::string& name = *format->string();
            if (name == "date" || name == "time" || name == "date-time" || name == "uuid") return name + "-text";
            return unsupported("the format " + name);
        }
        if (!schema.find("minLength") && !schema.find("maxLength")) return std::string("string");
        WB_TRY_ASSIGN(const std::uint64_t low, count(schema, "minLength", 0));
        WB_TRY_ASSIGN(const std::uint64_t high, count(schema, "maxLength", low));
        if (schema.find("maxLength") && high < low) return malformed("maxLength");
        return R"("\"" char)" + times(low, high, schema.find("maxLength")) + R"( "\"" space)";
    }

    static bool hasBounds(const ValueObject& schema) {
        constexpr std::array keys = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"};
        return std::ranges::any_of(keys, [&schema](const char* key) { return schema.find(key) != nullptr; });
    }

    struct Bounds {
        std::optional<NumberBound> low, high;
    };

    // The narrower of a bound and its exclusive form.
    Result<Bounds> bounds(const ValueObject& schema) const {
        Bounds bounds;
        const auto take = [&](const char* key, bool isExclusive, std::optional<NumberBound>& into, double sign) -> Result<void> {
            const Value* const value = schema.find(key);
            if (!value) return {};
            const auto number = value->number();
            if (!number || !(std::abs(*number) < 1e15)) return malformed(key);
            const bool isNarrower = !into || *number * sign > into->value * sign || (*number == into->value && isExclusive);
            if (isNarrower) into = NumberBound{*number, isExclusive};
            return {};
        };
        WB_TRY(take("minimum", false, bounds.low, 1));
        WB_TRY(take("exclusiveMinimum", true, bounds.low, 1));
        WB_TRY(take("maximum", false, bounds.high, -1));
        WB_TRY(take("exclusiveMaximum", true, bounds.high, -1));
        if (bounds.low && bounds.high && bounds.low->value > bounds.high->value) return malformed("maximum");
        return bounds;
    }

    Result<std::string> number(const ValueObject& schema) const {
        WB_TRY_ASSIGN(const Bounds between, bounds(schema));
        const std::string numbers = numbersBetween(between.low, between.high);
        if (numbers.empty()) return malformed("maximum");
        return "(" + numbers + ") space";
    }

    // The nearest integer inside a bound; `outward` is -1 at the low end and 1 at the high one.
    static std::optional<std::int64_t> integerWithin(const std::optional<NumberBound>& bound, std::int64_t outward) {
        if (!bound) return std::nullopt;
        const double whole = outward < 0 ? std::ceil(bound->value) : std::floor(bound->value);
        return static_cast<std::int64_t>(whole) - (bound->isExclusive && whole == bound->value ? outward : 0);
    }

    Result<std::string> integer(const ValueObject& schema) const {
        WB_TRY_ASSIGN(const Bounds between, bounds(schema));
        const auto low = integerWithin(between.low, -1), high = integerWithin(between.high, 1);
        if (!low && !high) return std::string("integer");
        if (low && high && *low > *high) return malformed("maximum");
        return "(" + integersBetween(low, high) + ") space";
    }

    Result<std::string> array(const ValueObject& schema, unsigned depth) {
        WB_TRY_ASSIGN(const std::uint64_t low, count(schema, "minItems", 0));
        WB_TRY_ASSIGN(const std::uint64_t high, count(schema, "maxItems", std::max<std::uint64_t>(low, 0)));
        const bool isBounded = schema.find("maxItems") != nullptr;
        if (isBounded && high < low) return malformed("maxItems");
        if (const Value* prefix = schema.find("prefixItems")) return tuple(*prefix, depth);
        const Value* const items = schema.find("items");
        if (items && items->array()) return tuple(*items, depth);
        WB_TRY_ASSIGN(const std::string item, items ? expression(*items, depth + 1) : Result<std::string>("value"));
        if (isBounded && high == 0) return std::string(R"("[" space "]" space)");
        const std::string more = "(\",\" space " + item + ")";
        const std::string rest = more + times(low > 0 ? low - 1 : 0, high > 0 ? high - 1 : 0, isBounded);
        const std::string some = item + " " + rest;
        return R"("[" space )" + (low > 0 ? some : "(" + some + ")?") + R"( "]" space)";
    }

    Result<std::string> tuple(const Value& items, unsigned depth) {
        const ValueArray* const array = items.array();
        if (!array || array->first.empty() || !array->complete()) return malformed("prefixItems");
        std::string all;
        for (const Value& item : array->first) {
            WB_TRY_ASSIGN(const std::string one, expression(item, depth + 1));
            all += (all.empty() ? "" : " \",\" space ") + one;
        }
        return "\"[\" space " + all + " \"]\" space";
    }

    struct Properties {
        std::vector<std::pair<std::string, const Value*>> all;
        std::set<std::string> required;
        const Value* additional = nullptr;
    };

    Result<void> collect(const ValueObject& schema, Properties& into, unsigned depth) const {
        if (depth > greatestDepth) return malformed("allOf");
        if (const Value* reference = schema.find("$ref"); reference && reference->string()) {
            WB_TRY_ASSIGN(const Value* const target, find(*reference->string()));
            if (!target->object()) return malformed("$ref");
            return collect(*target->object(), into, depth + 1);
        }
        if (const Value* properties = schema.find("properties")) {
            if (!properties->object() || !properties->object()->complete()) return malformed("properties");
            for (const Member& member : properties->object()->members) into.all.emplace_back(member.key, &member.value);
        }
        if (const Value* required = schema.find("required")) {
            if (!required->array() || !required->array()->complete()) return malformed("required");
            for (const Value& name : required->array()->first)
                if (name.string()) into.required.insert(*name.string());
        }
        if (const Value* additional = schema.find("additionalProperties")) into.additional = additional;
        if (const Value* parts = schema.find("allOf")) {
            if (!parts->array() || !parts->array()->complete()) return malformed("allOf");
            for (const Value& part : parts->array()->first) {
                if (!part.object()) return malformed("allOf");
                for (const Member& member : part.object()->members)
                    if (!contains(std::array{"type", "properties", "required", "additionalProperties", "allOf", "$ref"},
                                  member.key) &&
                        !contains(ignored, member.key))
                        return unsupported(member.key + " inside allOf");
                WB_TRY(collect(*part.object(), into, depth + 1));
            }
        }
        return {};
    }

    // Required properties stand; of the optional ones any may be omitted, and the written ones keep the order.
    Result<std::string> object_(const ValueObject& schema, unsigned depth) {
        Properties properties;
        WB_TRY(collect(schema, properties, depth));
        const bool* const flag = properties.additional ? std::get_if<bool>(&properties.additional->data) : nullptr;
        const bool hasMore = properties.additional ? !flag || *flag : properties.all.empty();
        std::string more;
        if (hasMore) {
            WB_TRY_ASSIGN(const std::string value, properties.additional && !flag ? expression(*properties.additional, depth + 1)
                                                                                  : Result<std::string>("value"));
            more = addRule("string \":\" space " + value);
        }
        std::vector<std::pair<std::string, bool>> members; // rule, whether it is required
        for (const auto& [key, value] : properties.all) {
            WB_TRY_ASSIGN(const std::string body, expression(*value, depth + 1));
            JsonKey quoted(key);
            members.emplace_back(addRule(literal(quoted.text) + " space \":\" space " + body), properties.required.erase(key) > 0);
        }
        if (!properties.required.empty()) { // without their own schema
            for (const std::string& key : properties.required) {
                JsonKey quoted(key);
                members.emplace_back(addRule(literal(quoted.text) + " space \":\" space value"), true);
            }
        }
        return "\"{\" space " + chain(members, more) + " \"}\" space";
    }

    struct JsonKey {
        explicit JsonKey(const std::string& key) : text(valueJson(Value::of(key))) {}
        std::string text;
    };

    std::string addRule(const std::string& body) {
        const std::string rule = "part-" + std::to_string(m_parts++);
        m_rules += rule + " ::= " + body + "\n";
        return rule;
    }

    // Two rules a place, from the last to the first: what may follow where something was written already (with its comma), and
    // where nothing was.
    std::string chain(const std::vector<std::pair<std::string, bool>>& members, const std::string& more) {
        const std::string tail = more.empty() ? "\"\"" : "(\",\" space " + more + ")*";
        std::string after = tail;
        std::string first = more.empty() ? "\"\"" : "(" + more + " " + tail + ")?";
        for (std::size_t i = members.size(); i-- > 0;) {
            const auto& [rule, isRequired] = members[i];
            const std::string rest = addRule(after);
            const std::string with = "\",\" space " + rule + " " + rest;
            const std::string begun = rule + " " + rest;
            const std::string skipped = isRequired ? std::string() : addRule(first);
            first = isRequired ? begun : begun + " | " + skipped;
            after = isRequired ? with : with + " | " + rest;
        }
        return addRule(first);
    }

    const Value& m_root;
    const std::string& m_name;
    std::string m_rules;
    std::map<std::string, std::string> m_references; // to rules
    std::size_t m_parts = 0;
};

} // namespace

Result<std::string> grammarOfSchema(std::string_view json, const std::string& name) {
    std::vector<Problem> problems;
    formats::Limits limits;
    WB_TRY_ASSIGN(const Value root, json::parse(json, name, limits, problems));
    return Converter(root, name).convert();
}

} // namespace wb::text
