// SPDX-License-Identifier: MIT
#include "core/formats/xml/xml.h"

#include <gtest/gtest.h>

#include <string>

namespace wb::xml {
namespace {

// The tokens of a document in one line.
std::string walk(std::string_view text) {
    Scanner scanner(text);
    std::string out;
    for (int i = 0; i < 10'000; ++i) {
        switch (scanner.next()) {
        case Token::Begin:
            out += "<" + std::string(scanner.name());
            for (const Attribute& attribute : scanner.attributes())
                out += " " + std::string(attribute.name) + "=" + attribute.value;
            out += ">";
            break;
        case Token::End: out += "</" + std::string(scanner.name()) + ">"; break;
        case Token::Text: out += scanner.text(); break;
        case Token::Finish: return out;
        case Token::Bad: return out + "BAD";
        }
    }
    return out + "ENDLESS";
}

TEST(Xml, WalksElementsAttributesAndText) {
    EXPECT_EQ(walk("<a x='1' y=\"2\"><b/>text</a>"), "<a x=1 y=2><b></b>text</a>");
    EXPECT_EQ(walk("\xEF\xBB\xBF<?xml version=\"1.0\"?><!-- c --><!DOCTYPE net>\n<n:a>t</n:a>\n"), "<a>t</a>");
    EXPECT_EQ(walk("<a><![CDATA[<&>]]></a>"), "<a><&></a>");
    EXPECT_EQ(walk("<a b='&lt;&#65;&#x42;&amp;'>&quot;&apos;</a>"), "<a b=<AB&>\"'</a>");
    EXPECT_EQ(walk("<a>&#x20AC;</a>"), "<a>\xE2\x82\xAC</a>");
}

TEST(Xml, RefusesWhatIsNoDocument) {
    for (const char* text :
         {"", "text", "<a>", "<a></b>", "<a", "<a b>", "<a b=c/>", "<a b='1/>", "</a>", "<a/><b/>", "<a/>text", "<a>&unknown;</a>",
          "<a>&#xD800;</a>", "<a>&#0;</a>", "<a><!-- </a>", "<a><![CDATA[</a>", "<a/ >", "<>"})
        EXPECT_TRUE(walk(text).ends_with("BAD")) << text;
}

// The billion laughs and files that a document asks for.
TEST(Xml, DeclarationsAreRefused) {
    EXPECT_EQ(walk("<!DOCTYPE a [<!ENTITY b \"bbbb\">]><a>&b;</a>"), "BAD");
    EXPECT_EQ(walk("<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>"), "BAD");
}

TEST(Xml, DepthIsBounded) {
    std::string deep;
    for (std::size_t i = 0; i <= Scanner::greatestDepth; ++i) deep += "<a>";
    EXPECT_TRUE(walk(deep).ends_with("BAD"));
}

TEST(Xml, NamesTheRootOfABeginning) {
    EXPECT_EQ(rootName("<?xml version=\"1.0\"?>\n<net name=\"a"), "net");
    EXPECT_EQ(rootName("<PMML xmlns=\"http://www.dmg.org/PMML-4_4\">"), "PMML");
    EXPECT_EQ(rootName("<!-- net --><html>"), "html");
    EXPECT_EQ(rootName("not xml"), "");
    EXPECT_EQ(rootName("<ne"), "");
}

} // namespace
} // namespace wb::xml
