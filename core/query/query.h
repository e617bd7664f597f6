// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"
#include "core/stats/stats.h"

#include <memory>
#include <string_view>
#include <vector>

// The search language over the tensors of a model, the same in the window's filter and in `wb inspect --filter`
// (docs/reference/statistics.md, "Query language").
//
//   query  := terms joined by a blank or "and", by "or"; "not" before a term; parentheses. "and" binds closer than "or".
//   term   := field op value | text
//   op     := ":" "=" "!=" "<" "<=" ">" ">="; also "field:>value"
//   text   := the name contains it; in double quotes where it holds blanks or is a word of the language
//
//   name:attn   contains (file likewise)        name:*.ffn_down.*   * and ? stand for any characters, whole name
//   name:~a|b   regular expression (PCRE2)      name=output.weight  the whole name
//   type:q4_k   equal, also * and ? (role and part likewise)        shape:4096x*x128   one number or * a dimension
//   layer:0-3   both ends included              layer:4-            from 4 on
//   size:>10M   K M G T are powers of 1,000, Ki Mi Gi Ti of 1,024; a B may follow
//
// Letters match in either case. A field that a tensor does not have (the layer of token_embd) matches no comparison, but its "not"
// does. A statistic that was not computed or is not defined matches nothing, not even under "not".
namespace wb::query {

// One tensor as a query sees it. Only what the query asks for is worked out. Borrowed: everything must outlive the call.
struct Subject {
    const TensorInfo& tensor;
    std::string_view architecture; // Model::architecture, or empty
    std::string_view file;         // the name of the tensor's file
    const stats::TensorStats* stats = nullptr;
};

struct Node;

// A parsed query: an immutable value, cheap to copy; thread-safe.
class Query {
public:
    Query() = default; // matches everything
    explicit Query(std::shared_ptr<const Node> root) : m_root(std::move(root)) {}

    // A regular expression that needs more steps than its limit allows counts as one that does not match.
    bool matches(const Subject& subject) const;

    // Whether the result depends on statistics, so that it must be asked again when more are known.
    bool needsStatistics() const;

private:
    std::shared_ptr<const Node> m_root;
};

// Invalid where the text is not a query; the sentence names the position (counted in characters from 1) and, for an unknown
// field, the nearest ones. A text of blanks matches everything. At most 10,000 bytes and 100 levels of parentheses.
Result<Query> parse(std::string_view text);

// The names of all fields, for completion; aliases are omitted.
std::vector<std::string_view> fieldNames();

} // namespace wb::query
