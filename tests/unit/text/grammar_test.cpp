// SPDX-License-Identifier: MIT
#include "core/text/grammar/json_schema.h"
#include "core/text/grammar/matcher.h"
#include "core/text/sampler.h"

#include "core/formats/open.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::text {
namespace {

std::string refusal(std::string_view source) {
    const auto grammar = Grammar::parse(source, "g.gbnf");
    if (grammar) return "";
    EXPECT_TRUE(grammar.error().message().starts_with("g.gbnf")) << grammar.error().message();
    return grammar.error().reason.id();
}

TEST(GrammarText, IsReadAsTheReferenceDoes) {
    EXPECT_EQ(refusal(R"(root ::= "a\x41\u4e2d\U0001F600" [^"\\\n] . (b | "") c{2,3} # comment
b ::= [a-z0-9-]+ | [\]]?
c ::=
   "x"*
)"),
              "");
}

TEST(GrammarText, RefusesWithAReason) {
    EXPECT_EQ(refusal(""), "grammar.no_root");
    EXPECT_EQ(refusal("a ::= \"x\""), "grammar.no_root");
    EXPECT_EQ(refusal("root ::= other"), "grammar.unknown_rule");
    EXPECT_EQ(refusal("root ::= root \"a\""), "grammar.left_recursion");
    EXPECT_EQ(refusal("root ::= a b\na ::= \"\" | \"x\"\nb ::= a root"), "grammar.left_recursion");
    EXPECT_EQ(refusal("root ::= (\"a\"*)*"), "grammar.left_recursion");
    EXPECT_EQ(refusal("root ::= \"open"), "grammar.quote");
    EXPECT_EQ(refusal("root ::= (\"a\""), "grammar.bracket");
    EXPECT_EQ(refusal("root ::= [a-"), "grammar.bracket");
    EXPECT_EQ(refusal("root ::= [z-a]"), "grammar.range");
    EXPECT_EQ(refusal("root ::= \"\\q\""), "grammar.escape");
    EXPECT_EQ(refusal("root ::= \"\\U00110000\""), "grammar.escape");
    EXPECT_EQ(refusal("root ::= \"a\"{3,2}"), "grammar.repeat");
    EXPECT_EQ(refusal("root ::= \"a\"{,2}"), "grammar.repeat");
    EXPECT_EQ(refusal("root = \"a\""), "grammar.definition");
    EXPECT_EQ(refusal("root ::= \"a\" )"), "grammar.rest");
    EXPECT_EQ(refusal("root ::= <[5]>"), "grammar.token");
    EXPECT_EQ(refusal("root ::= \"\xFF\""), "grammar.utf8");
    EXPECT_EQ(refusal("root ::= " + std::string(300, '(') + "\"a\"" + std::string(300, ')')), "grammar.depth");
    EXPECT_EQ(refusal("root ::= \"a\"{1000000000}"), "grammar.too_large");
    EXPECT_EQ(refusal("root ::= \"" + std::string(1000, 'a') + "\"{500}"), "grammar.too_large");
}

TEST(GrammarText, SaysTheLine) {
    const auto grammar = Grammar::parse("root ::= a\n\na ::= \"x\" ]\n", "g.gbnf");
    ASSERT_FALSE(grammar);
    EXPECT_NE(grammar.error().message().find("line 3"), std::string::npos) << grammar.error().message();
}

// Linear work: with a loop over each repetition of nothing this took 10 s.
TEST(GrammarText, RepetitionsOfNothingCostNothing) {
    std::string source = "root ::= ";
    for (int i = 0; i < 100'000; ++i) source += "\"\"{200000} ";
    const auto grammar = Grammar::parse(source, "g.gbnf");
    ASSERT_TRUE(grammar) << grammar.error().message();
    EXPECT_EQ(grammar->symbols().size(), 1u); // the end
}

TEST(GrammarText, ChainsOfRulesNeedNoStack) {
    std::string chain = "root ::= r0\n";
    for (int i = 0; i < 60'000; ++i) chain += "r" + std::to_string(i) + " ::= r" + std::to_string(i + 1) + "\n";
    EXPECT_EQ(refusal(chain + "r60000 ::= \"a\"\n"), "");
    EXPECT_EQ(refusal(chain + "r60000 ::= r0\n"), "grammar.left_recursion");
}

// Texts against grammars, with the storyteller's vocabulary of 512 tokens, among them all bytes.
class Matching : public testing::Test {
protected:
    void SetUp() override {
        WB_NEED_SHARED("corpus/llm/stories260K.gguf");
        const auto model = formats::open(test::shared() / "corpus/llm/stories260K.gguf");
        ASSERT_TRUE(model);
        const auto tokenizer = Tokenizer::open(**model);
        ASSERT_TRUE(tokenizer);
        m_tokenizer = *tokenizer;
    }

    std::shared_ptr<const TokenGrammar> grammarFromSource(std::string_view source) const {
        auto grammar = Grammar::parse(source, "g.gbnf", m_tokenizer.get());
        EXPECT_TRUE(grammar) << grammar.error().message() << "\n" << source;
        return grammar ? *TokenGrammar::make(std::move(*grammar), *m_tokenizer) : nullptr;
    }

    // 'y': the text is derived; 'p': it may become one; 'n': neither.
    char judge(std::string_view source, std::string_view words) const {
        const auto grammar = grammarFromSource(source);
        if (!grammar) return '?';
        GrammarMatcher matcher(grammar);
        for (const char byte : words) {
            const TokenId id = m_tokenizer->vocabulary().byteToken(static_cast<unsigned char>(byte));
            if (!matcher.allows(id)) return 'n';
            matcher.accept(id);
        }
        EXPECT_EQ(matcher.allows(matcher.endToken()), matcher.isComplete());
        return matcher.isComplete() ? 'y' : 'p';
    }

    char judgeSchema(std::string_view schema, std::string_view words) const {
        const auto source = grammarOfSchema(schema, "s.json");
        EXPECT_TRUE(source) << source.error().message();
        return source ? judge(*source, words) : '?';
    }

    std::shared_ptr<const Tokenizer> m_tokenizer;
};

TEST_F(Matching, FollowsRulesAndRepetitions) {
    const auto* const source = "root ::= \"a\"+ (\"b\" | [0-9]{2,3})? \"c\"*";
    for (const char* text : {"a", "aaa", "ab", "a12", "a123c", "abccc"}) EXPECT_EQ(judge(source, text), 'y') << text;
    for (const char* text : {"", "a1"}) EXPECT_EQ(judge(source, text), 'p') << text;
    for (const char* text : {"b", "a1c", "a1234", "abb", "acb"}) EXPECT_EQ(judge(source, text), 'n') << text;
}

TEST_F(Matching, ReadsCharactersOfAnyLengthByteByByte) {
    const auto* const source = "root ::= [一-龥]+ | \"😀\" | [^a]{2}";
    EXPECT_EQ(judge(source, "中文"), 'y');
    EXPECT_EQ(judge(source, "😀"), 'y');
    EXPECT_EQ(judge(source, "é!"), 'y');
    EXPECT_EQ(judge(source, "a"), 'n');
    EXPECT_EQ(judge(source, "\xE4\xB8"), 'p');
    EXPECT_EQ(judge("root ::= [一-龥]", "\xC3"), 'n'); // no character of the class begins so
    EXPECT_EQ(judge(source, "\xFF"), 'n');
    EXPECT_EQ(judge(source, "\xE0"), 'p');
    EXPECT_EQ(judge(source, "\xE0\x80"), 'n'); // longer than it needs to be
}

TEST_F(Matching, FollowsNestingOfAnyDepth) {
    const std::string source = "root ::= \"(\" root \")\" | \"x\"";
    std::string deep(5000, '(');
    EXPECT_EQ(judge(source, deep), 'p');
    deep += "x" + std::string(5000, ')');
    EXPECT_EQ(judge(source, deep), 'y');
    EXPECT_EQ(judge(source, deep + ")"), 'n');
}

TEST_F(Matching, StaysSmallWhereTextsAreReadInManyWays) {
    // Were the ways kept apart, this would not end.
    EXPECT_NE(judge("root ::= \"x\" root \"a\" | \"x\" root \"b\" | \"x\" root \"c\" | \"y\"", std::string(60, 'x')), '?');
    EXPECT_EQ(judge("root ::= a* a* a* a* a*\na ::= \"x\" | \"x\" | \"xx\"", std::string(300, 'x')), 'y');
}

TEST_F(Matching, TakesTokensByIdAndByText) {
    const auto grammar = grammarFromSource("root ::= <[300]> !<[301]> \"a\"");
    GrammarMatcher matcher(grammar);
    EXPECT_TRUE(matcher.allows(300));
    EXPECT_FALSE(matcher.allows(301));
    matcher.accept(300);
    EXPECT_FALSE(matcher.allows(301));
    EXPECT_TRUE(matcher.allows(302));
}

// Linear work: lines are counted for a token that is refused only; counted for each, this took 6 s.
TEST_F(Matching, ReadsAsManyTokensAsAGrammarMayHold) {
    std::string source = "root ::= (";
    for (int i = 0; i < 90'000; ++i) source += "<[1]>\n";
    const auto grammar = Grammar::parse(source + ")", "g.gbnf", m_tokenizer.get());
    ASSERT_TRUE(grammar) << grammar.error().message();
    EXPECT_GT(grammar->symbols().size(), 90'000u);
}

TEST_F(Matching, MasksExactlyWhatItDoesNotAllow) {
    const auto grammar = grammarFromSource("root ::= \" \"? \"once upon a time\" [^x]* | [α-ω]+");
    GrammarMatcher matcher(grammar);
    for (const TokenId step : m_tokenizer->encode("once upon", {.addSpecial = false, .parseSpecial = true, .stop = {}})
                                  .value_or(std::vector<TokenId>())) {
        std::vector<float> logits(grammar->size(), 1.0F);
        EXPECT_TRUE(matcher.mask(logits));
        for (std::size_t id = 0; id < logits.size(); ++id)
            EXPECT_EQ(logits[id] == 1.0F, matcher.allows(static_cast<TokenId>(id)))
                << id << " " << grammar->piece(static_cast<TokenId>(id));
        ASSERT_TRUE(matcher.allows(step));
        matcher.accept(step);
    }
}

TEST_F(Matching, TheSamplerKeepsToItAndEndsByItself) {
    SamplingOptions options;
    options.grammar = grammarFromSource("root ::= \"ab\" (\"c\" | \"d\")");
    for (options.seed = 0; options.seed < 20; ++options.seed) {
        Sampler sampler(options);
        std::vector<TokenId> ids;
        std::string text;
        for (int i = 0; i < 10; ++i) {
            std::vector<float> logits(options.grammar->size(), 0.0F);
            const TokenId id = sampler.sample(logits, ids);
            if (options.grammar->isEnd(id)) break;
            ids.push_back(id);
            text += options.grammar->piece(id);
        }
        EXPECT_TRUE(text == "abc" || text == "abd") << text;
    }
}

TEST_F(Matching, SchemasOfObjects) {
    const auto* const schema =
        R"({"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0,"maximum":120},
        "tags":{"type":"array","items":{"enum":["a","b",3]},"maxItems":2}},"required":["name"]})";
    for (const char* text : {R"({"name": "Ann", "age": 7})", R"({"name":"","tags":["a",3]})",
                             R"( {"name":"\"\u00e9","age":120,"tags":[]})", R"({"name":"x"})"})
        EXPECT_EQ(judgeSchema(schema, text), 'y') << text;
    for (const char* text :
         {R"({})", R"({"age":7})", R"({"name":"x","age":121})", R"({"name":"x","age":-1})", R"({"name":"x","age":07})",
          R"({"name":"x","tags":["a","b","a"]})", R"({"age":7,"name":"x"})", R"({"name":"x","other":1})", R"([])"})
        EXPECT_EQ(judgeSchema(schema, text), 'n') << text;
}

TEST_F(Matching, SchemasOfEverythingElse) {
    EXPECT_EQ(judgeSchema("{}", R"({"a":[1,-2.5e3,true,null,"x"]})"), 'y');
    EXPECT_EQ(judgeSchema("true", "12"), 'y');
    EXPECT_EQ(judgeSchema(R"({"const":{"a":[1]}})", R"({"a":[1]})"), 'y');
    EXPECT_EQ(judgeSchema(R"({"oneOf":[{"type":"null"},{"type":"boolean"}]})", "false"), 'y');
    EXPECT_EQ(judgeSchema(R"({"type":["null","integer"]})", "-12"), 'y');
    EXPECT_EQ(judgeSchema(R"({"type":"string","minLength":2,"maxLength":3})", "\"中文\""), 'y');
    EXPECT_EQ(judgeSchema(R"({"type":"string","minLength":2,"maxLength":3})", "\"a\""), 'n');
    EXPECT_EQ(judgeSchema(R"({"type":"string","format":"date"})", "\"2026-11-23\""), 'y');
    EXPECT_EQ(judgeSchema(R"({"type":"string","format":"date"})", "\"2026-13"), 'n');
    EXPECT_EQ(judgeSchema(R"({"prefixItems":[{"type":"integer"},{"type":"string"}]})", R"([1, "x"])"), 'y');
    EXPECT_EQ(judgeSchema(R"({"type":"array","minItems":2,"items":{"type":"integer"}})", "[1]"), 'n');
    EXPECT_EQ(judgeSchema(R"({"type":"array","minItems":2,"items":{"type":"integer"}})", "[1,2,3]"), 'y');
    EXPECT_EQ(judgeSchema(R"({"additionalProperties":{"type":"integer"},"type":"object"})", R"({"x":1,"y":2})"), 'y');
    EXPECT_EQ(judgeSchema(R"({"additionalProperties":{"type":"integer"},"type":"object"})", R"({"x":"1")"), 'n');
    EXPECT_EQ(
        judgeSchema(R"({"allOf":[{"properties":{"a":{"type":"null"}},"required":["a"]},{"properties":{"b":{"type":"null"}}}]})",
                    R"({"a":null,"b":null})"),
        'y');
    EXPECT_EQ(judgeSchema(R"({"type":"object","required":["z"]})", R"({"z":1,"q":2})"), 'y');
}

TEST_F(Matching, SchemasMayHoldThemselves) {
    const auto* const tree =
        R"({"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"anyOf":[{"type":"null"},
        {"$ref":"#/$defs/node"}]}},"required":["next"]}}})";
    EXPECT_EQ(judgeSchema(tree, R"({"next":{"next":{"next":null}}})"), 'y');
    EXPECT_EQ(judgeSchema(tree, R"({"next":{"next":1)"), 'n');
}

TEST_F(Matching, BoundsOfIntegersAreExact) {
    for (const auto& [low, high] : {std::pair(0, 0), {3, 17}, {-5, 5}, {-120, -7}, {95, 1003}, {100, 100}, {-1, 0}}) {
        const std::string schema =
            R"({"type":"integer","minimum":)" + std::to_string(low) + R"(,"maximum":)" + std::to_string(high) + "}";
        const auto source = grammarOfSchema(schema, "s.json");
        ASSERT_TRUE(source);
        for (int value = low - 15; value <= high + 15; value += value > low + 30 && value < high - 30 ? 7 : 1) {
            const bool isIn = value >= low && value <= high;
            EXPECT_EQ(judge(*source, std::to_string(value)) == 'y', isIn) << schema << " " << value;
        }
    }
    EXPECT_EQ(judgeSchema(R"({"type":"integer","minimum":37})", "36"), 'p'); // 360 is meant
    EXPECT_EQ(judgeSchema(R"({"type":"integer","minimum":37})", "370"), 'y');
    EXPECT_EQ(judgeSchema(R"({"type":"integer","exclusiveMaximum":0})", "-123456"), 'y');
    EXPECT_EQ(judgeSchema(R"({"type":"integer","exclusiveMaximum":0})", "0"), 'n');
}

TEST_F(Matching, BoundsOfNumbersAreExact) {
    struct Case {
        const char* bounds;
        std::vector<const char*> inside, outside;
    };
    const Case cases[] = {
        {R"("minimum":0.5,"maximum":2.25)",
         {"0.5", "0.50", "0.51", "1", "1.999", "2", "2.0", "2.25", "2.2500", "2.1999", "0.6"},
         {"0.49", "0", "-1", "2.26", "2.251", "3", "2.3", "1e0", "00.5"}},
        {R"("exclusiveMinimum":0,"exclusiveMaximum":1)", {"0.1", "0.0001", "0.9999"}, {"0", "0.0", "1", "1.0", "-0.1"}},
        {R"("minimum":-1.5,"maximum":-0.25)",
         {"-1.5", "-1.50", "-1", "-0.25", "-0.3"},
         {"-1.51", "-2", "-0.2", "-0.249", "0", "1"}},
        {R"("minimum":-3,"exclusiveMaximum":0)", {"-3", "-3.0", "-0.1", "-2.75"}, {"0", "-0", "-3.1", "0.1"}},
        {R"("minimum":12.75)", {"12.75", "12.8", "13", "200", "99999.5"}, {"12.74", "12.5", "-13"}},
        {R"("maximum":0)", {"0", "-0", "-12.5", "0.0"}, {"0.1", "1"}},
        {R"("minimum":1.25,"exclusiveMaximum":1.5)", {"1.25", "1.3", "1.49"}, {"1.2", "1.5", "1.50", "2"}},
        {R"("minimum":7,"maximum":7)", {"7", "7.00"}, {"7.1", "6.9", "8"}},
        {R"("minimum":1e-7,"maximum":2e-7)", {"0.0000001", "0.00000015"}, {"0.00000009", "0.0000003", "1"}},
    };
    for (const Case& one : cases) {
        const std::string schema = std::string(R"({"type":"number",)") + one.bounds + "}";
        for (const char* text : one.inside) EXPECT_EQ(judgeSchema(schema, text), 'y') << schema << " " << text;
        for (const char* text : one.outside) EXPECT_NE(judgeSchema(schema, text), 'y') << schema << " " << text;
    }
    EXPECT_EQ(judgeSchema(R"({"minimum":3})", "2"), 'p'); // 20 is meant
    EXPECT_EQ(judgeSchema(R"({"type":"integer","minimum":0.5,"exclusiveMaximum":2.5})", "1"), 'y');
    EXPECT_EQ(judgeSchema(R"({"type":"integer","minimum":0.5,"exclusiveMaximum":2.5})", "2"), 'y');
    EXPECT_EQ(judgeSchema(R"({"type":"integer","minimum":0.5,"exclusiveMaximum":2.5})", "0"), 'n');
    EXPECT_EQ(judgeSchema(R"({"type":"integer","minimum":0.5,"exclusiveMaximum":2.5})", "3"), 'n');
}

TEST_F(Matching, PatternsOfStrings) {
    struct Case {
        const char* pattern; // as JSON spells it
        std::vector<const char*> inside, outside;
    };
    const Case cases[] = {
        {R"(^[A-Z]{2}-\\d{3,4}$)", {R"("AB-123")", R"("AB-1234")"}, {R"("AB-12")", R"("ab-123")", R"("AB-12345")", R"("xAB-123")"}},
        {R"(b)", {R"("b")", R"("abc")", R"("\nb\u0041")"}, {R"("a")", R"("")"}},
        {R"(^(foo|ba[rz])+?$)", {R"("foo")", R"("barbaz")"}, {R"("")", R"("fo")", R"("bax")"}},
        {R"(^a|b$)", {R"("ax")", R"("xb")"}, {R"("x")", R"("ba")"}},
        {R"(^.\\.\\\\$)", {R"("a.\\")"}, {R"("ab\\")", R"("a.")"}},
        {R"(^\"[^\"]*\"$)", {R"("\"x\"")", R"("\"\"")"}, {R"("x")", R"("\"\"\"")"}},
        {R"(^\\s\\S\\w\\W$)", {R"("\t!_-")", R"("\nxa ")"}, {R"("xxa-")", R"("  a-")"}},
        {R"(^[\u4e00-\u9fa5]{1,2}$)", {"\"中\"", "\"中文\""}, {R"("a")", R"("")"}},
        {R"(^(?:a(?<n>b)?)*$)", {R"("")", R"("aab")"}, {R"("b")"}},
        {"", {R"("")", R"("anything")"}, {"1"}},
    };
    for (const Case& one : cases) {
        const std::string schema = std::string(R"({"type":"string","pattern":")") + one.pattern + "\"}";
        for (const char* text : one.inside) EXPECT_EQ(judgeSchema(schema, text), 'y') << schema << " " << text;
        for (const char* text : one.outside) EXPECT_EQ(judgeSchema(schema, text), 'n') << schema << " " << text;
    }
}

TEST(Schema, RefusesWhatItCannotEnforce) {
    const auto reason = [](std::string_view schema) {
        const auto source = grammarOfSchema(schema, "s.json");
        return source ? std::string() : std::string(source.error().reason.id());
    };
    EXPECT_EQ(reason(R"({"not":{"type":"null"}})"), "schema.unsupported");
    for (const char* pattern :
         {"(?=a)", "(?<!a)b", "\\\\bword", "a^b", "$a", "(a)\\\\1", "(a*)*", "(|a){2,}", "\\\\q", "[]", "\\\\u0001"})
        EXPECT_EQ(reason(R"({"type":"string","pattern":")" + std::string(pattern) + "\"}"), "schema.unsupported") << pattern;
    for (const char* pattern : {"(a", "a)", "[a", "a**", "*a", "a{2", "a{3,2}", "a{9999}", "[z-a]", "\\\\xZZ", "a\\\\"})
        EXPECT_EQ(reason(R"({"type":"string","pattern":")" + std::string(pattern) + "\"}"), "schema.unsupported") << pattern;
    EXPECT_EQ(reason(R"({"type":"string","pattern":"a","minLength":2})"), "schema.unsupported");
    EXPECT_EQ(reason(R"({"type":"string","pattern":1})"), "schema.malformed");
    EXPECT_EQ(reason(R"({"type":"number","minimum":2,"maximum":1})"), "schema.malformed");
    EXPECT_EQ(reason(R"({"type":"number","minimum":2,"exclusiveMaximum":2})"), "schema.malformed");
    EXPECT_EQ(reason(R"({"type":"integer","minimum":0.2,"maximum":0.8})"), "schema.malformed");
    EXPECT_EQ(reason(R"({"type":"number","minimum":1e18})"), "schema.malformed");
    EXPECT_EQ(reason(R"({"type":"string","format":"email"})"), "schema.unsupported");
    EXPECT_EQ(reason(R"({"$ref":"http://example.org/x"})"), "schema.unsupported");
    EXPECT_EQ(reason("false"), "schema.unsupported");
    EXPECT_EQ(reason(R"({"type":"thing"})"), "schema.malformed");
    EXPECT_EQ(reason(R"({"enum":[]})"), "schema.malformed");
    EXPECT_EQ(reason(R"({"$ref":"#/$defs/none"})"), "schema.malformed");
    EXPECT_EQ(reason(R"({"type":"array","maxItems":5000})"), "schema.too_large");
    EXPECT_EQ(reason(R"([1])"), "schema.malformed");
    EXPECT_NE(reason("{"), "");
}

} // namespace
} // namespace wb::text
