// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/jinja/value.h"

namespace wb::text::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

// A call's arguments: by position, by name, and lists and dicts that are spread (*x, **x).
struct CallArguments {
    std::vector<ExpressionPtr> positional;
    std::vector<std::pair<std::string, ExpressionPtr>> named;
    ExpressionPtr spreadList;
    ExpressionPtr spreadDict;
};

struct Expression {
    enum class Kind {
        Constant, // value
        Name,     // name
        ListLiteral,
        TupleLiteral, // children
        DictLiteral,  // children: key, value, key, value …
        Attribute,    // children[0].name
        Item,         // children[0][children[1]]
        Slice,        // children[0][a:b:c]; children 1 to 3 may be null
        Call,         // children[0](arguments)
        Filter,       // children[0]|name(arguments); children[0] is null in a filter block
        Test,         // children[0] is name(arguments)
        Not,
        Negative,
        Positive,
        Add,
        Subtract,
        Multiply,
        Divide,
        FloorDivide,
        Modulo,
        Power,
        Concatenate,
        Compare, // children[0] operators[0] children[1] operators[1] …
        And,
        Or,
        Conditional, // children: value, condition, otherwise (may be null)
    };

    Kind kind = Kind::Constant;
    std::size_t line = 0;
    std::string name;
    Value value;
    std::vector<ExpressionPtr> children;
    std::vector<std::string> operators;
    CallArguments arguments;
};

struct Statement;
using Block = std::vector<std::unique_ptr<Statement>>;

struct Statement {
    enum class Kind {
        Data,        // text
        Output,      // expression
        If,          // branches (condition null: else)
        For,         // target in expression [if condition] body [else otherwise], recursive
        Set,         // target = expression
        SetBlock,    // target = body through filters (expression: the innermost filter's child is null)
        Macro,       // name(parameters) body
        Call,        // expression called with body as caller(parameters)
        FilterBlock, // body through expression
        With,        // names and values, body
        Generation,  // body
        Break,
        Continue,
    };

    Kind kind = Kind::Data;
    std::size_t line = 0;
    std::string name;
    std::string text;
    ExpressionPtr target;
    ExpressionPtr expression;
    ExpressionPtr condition;
    std::vector<std::pair<ExpressionPtr, Block>> branches;
    std::vector<std::pair<std::string, ExpressionPtr>> parameters; // macro: name and default (may be null); with: name and value
    Block body;
    Block otherwise;
    bool isRecursive = false;
};

// Parses a template. Throws Failure (class Template) with the line.
Block parse(std::string_view source, unsigned maxDepth);

// Whether there is a filter or test of this name.
bool isFilter(std::string_view name);
bool isTest(std::string_view name);

} // namespace wb::text::jinja
