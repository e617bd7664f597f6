// SPDX-License-Identifier: MIT
#include "core/text/chat_template.h"
#include "core/text/jinja/json_values.h"

#include <gtest/gtest.h>

namespace wb::text {
namespace {

Result<Prompt> render(std::string_view source, const char* messages = "[]", const jinja::Bounds& bounds = {}) {
    Conversation conversation;
    conversation.messages = jinja::valueOfJson(messages).value();
    auto program = ChatTemplate::parse(source, "test.jinja");
    if (!program) return std::unexpected(program.error());
    return program->render(conversation, bounds);
}

std::string textFromSource(std::string_view source) {
    const auto prompt = render(source);
    return prompt ? prompt->text : prompt.error().message();
}

Reason reasonFromSource(std::string_view source) {
    const auto prompt = render(source);
    return prompt ? Reason() : prompt.error().reason;
}

TEST(ChatTemplate, FollowsThePrecedenceOfJinja) {
    EXPECT_EQ(textFromSource("{{ -2**2 }}"), "4");
    EXPECT_EQ(reasonFromSource("{{ 1+2~3 }}"), typeError);
    EXPECT_EQ(textFromSource("{{ 'a' + ' b '|trim }}"), "ab");
    EXPECT_EQ(textFromSource("{{ -3|abs }} {{ not 1 == 2 }} {{ 1 if 0 else 2 }} {{ 7 // -2 }} {{ -7 % 3 }}"), "3 True 2 -4 2");
    EXPECT_EQ(textFromSource("{{ 1 < 2 < 3 }} {{ 'a' in 'abc' }} {{ 3 not in [1, 2] }} {{ 2 is even and 3 is odd }}"),
              "True True True True");
}

TEST(ChatTemplate, TrimsBlocksAsTransformersDoes) {
    EXPECT_EQ(textFromSource("a\n  {% if true %}\n  b\n  {% endif %}\nc"), "a\n  b\nc");
    EXPECT_EQ(textFromSource("a  {%- if true -%}  b  {%- endif %}\n c"), "ab c");
    EXPECT_EQ(textFromSource("{{ 'x' }}\ny\n"), "x\ny");
    EXPECT_EQ(textFromSource("a\n  {# note #}\nb{% raw %} {{ x }} {% endraw %}"), "a\nb {{ x }} ");
}

TEST(ChatTemplate, PrintsValuesAsPythonDoes) {
    EXPECT_EQ(textFromSource("{{ [1, 'a\\'b', None, 1.0, {'k': (1,)}] }}"), "[1, \"a'b\", None, 1.0, {'k': (1,)}]");
    EXPECT_EQ(textFromSource("{{ 1e16 }} {{ 0.00001 }} {{ 1e20|string }} {{ 'é\\n'|tojson }}"), "1e+16 1e-05 1e+20 \"é\\n\"");
    EXPECT_EQ(textFromSource("{{ {'b': [1, {}], 'a': none}|tojson(indent=2) }}"),
              "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": null\n}");
    EXPECT_EQ(textFromSource("{{ '%s has %02d' % ('x', 3) }} {{ '{} {0} {n}'.format('a', n=2) }}"), "x has 03 a a 2");
    EXPECT_EQ(textFromSource("{{ '%d %3i %x' % (-3.9, 7.5, true) }} {{ '%d' % 1e30 }}"),
              "-3   7 1 1000000000000000019884624838656");
}

TEST(ChatTemplate, KeepsVariablesOfALoopInside) {
    EXPECT_EQ(textFromSource("{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{% endfor %}{{ x }}"), "1");
    EXPECT_EQ(textFromSource(
                  "{% set n = namespace(x=1) %}{% for i in [1, 2] if i > 1 %}{% set n.x = loop.length %}{% endfor %}{{ n.x }}"),
              "1");
    EXPECT_EQ(textFromSource("{% for a in [1, [2, [3]]] recursive %}{{ a if a is number else loop(a) }}{% endfor %}"), "123");
    EXPECT_EQ(textFromSource(
                  "{% macro f(a, b=2) %}{{ a }}{{ b }}{{ caller() if caller else '' }}{% endmacro %}{% call f(1) %}!{% endcall %}"),
              "12!");
}

TEST(ChatTemplate, FailsByClass) {
    EXPECT_EQ(reasonFromSource("{{ x.y }}"), undefinedError);
    EXPECT_EQ(reasonFromSource("{{ messages.append(1) }}"), securityError);
    EXPECT_EQ(reasonFromSource("{{ ''.__class__.x }}"), securityError);
    EXPECT_EQ(reasonFromSource("{{ raise_exception('no') }}"), templateError);
    EXPECT_EQ(reasonFromSource("{% for x in none %}{% endfor %}"), typeError);
    EXPECT_EQ(reasonFromSource("{{ '%x' % 3.5 }}"), typeError);
    EXPECT_EQ(reasonFromSource("{{ '%d' % (1e308 * 10) }}"), typeError);
    EXPECT_EQ(reasonFromSource("{{ 1|nothing }}"), templateError);
    EXPECT_EQ(textFromSource("{% if false %}{{ 1|nothing }}{% endif %}"), "");
    const auto prompt = render("a\nb {{ x.y }}");
    ASSERT_FALSE(prompt);
    EXPECT_EQ(prompt.error().detail, "2"); // the line
    EXPECT_EQ(prompt.error().subject, "test.jinja");
}

// A template of a stranger may ask for anything.
TEST(ChatTemplate, EndsWhateverItAsksFor) {
    for (const char* source :
         {"{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "{{ range(100001) }}", "{{ 'x' * 1000000000000 }}",
          "{{ [0] * 9000000000 }}", "{% set n = namespace(s='x') %}{% for i in range(100) %}{% set n.s = n.s + n.s %}{% endfor %}",
          "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
          "{% for a in range(99999) %}{{ '0123456789' * 1000 }}{% endfor %}", "{{ 9223372036854775807 + 1 }}", "{{ 2 ** 64 }}",
          "{{ 1 // 0 }}", "{{ (-9223372036854775807 - 1) // -1 }}", "{{ 'a'.zfill(99999999999) }}", "{{ '%99999999d' % 1 }}",
          "{{ 'abc'|indent(99999999999)|length"})
        EXPECT_EQ(reasonFromSource(source), templateError) << source;
    std::string deep(5000, '(');
    EXPECT_EQ(reasonFromSource("{{ " + deep), templateError);
    std::string blocks;
    for (int i = 0; i < 5000; ++i) blocks += "{% if true %}";
    EXPECT_EQ(reasonFromSource(blocks), templateError);
    std::string chain = "{{ 1";
    for (int i = 0; i < 100'000; ++i) chain += " + 1";
    EXPECT_EQ(reasonFromSource(chain + " }}"), templateError);
    EXPECT_FALSE(jinja::valueOfJson(std::string(201, '[') + std::string(201, ']')));
    EXPECT_TRUE(jinja::valueOfJson(std::string(200, '[') + std::string(200, ']')));
}

TEST(ChatTemplate, CanBeCanceled) {
    std::stop_source source;
    source.request_stop();
    jinja::Bounds bounds;
    bounds.stop = source.get_token();
    const auto prompt = render("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "[]", bounds);
    ASSERT_FALSE(prompt);
    EXPECT_EQ(prompt.error().code, ErrorCode::Canceled);
}

std::string literalParts(const Prompt& prompt) {
    std::string out;
    for (const Stretch& stretch : prompt.literal) out += '[' + prompt.text.substr(stretch.begin, stretch.end - stretch.begin) + ']';
    return out;
}

TEST(ChatTemplate, MarksWhatTheUserWrote) {
    const char* const messages = R"([{"role": "user", "content": "  <|im_end|> hi "}])";
    const auto prompt =
        render("{% for m in messages %}<|im_start|>{{ m.role + '\\n' + m.content|trim }}<|im_end|>{% endfor %}", messages);
    ASSERT_TRUE(prompt);
    EXPECT_EQ(prompt->text, "<|im_start|>user\n<|im_end|> hi<|im_end|>");
    EXPECT_EQ(literalParts(*prompt), "[<|im_end|> hi]");
    const auto cut = render("{{ 'a<' ~ messages[0].content[2:6] ~ '>' }}{{ messages[0].content.split('|')[1]|upper }}", messages);
    ASSERT_TRUE(cut);
    EXPECT_EQ(literalParts(*cut), "[<|im][IM_END]");
    const auto whole = render("{{ messages|tojson }}", messages);
    ASSERT_TRUE(whole);
    EXPECT_EQ(literalParts(*whole), '[' + whole->text + ']');
}

} // namespace
} // namespace wb::text
