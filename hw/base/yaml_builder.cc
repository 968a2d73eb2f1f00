#include "hw/base/yaml_builder.h"

#include <utility>

#include <fmt/format.h>

#include "hw/base/printable.h"

namespace lockstep::internal {

namespace {

// yaml-cpp's tags for a node without a written tag: plain scalars and collections '?', quoted scalars '!'.
constexpr const char* kPlainTag = "?";
constexpr const char* kQuotedTag = "!";

}  // namespace

YamlBuilder::YamlBuilder(std::string_view text, std::string file, const YamlLimits& limits, DiagSink& sink)
    : text_(text), line_starts_{0}, file_(std::move(file)), limits_(limits), sink_(sink) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
}

SourceLoc YamlBuilder::loc(const YAML::Mark& mark) const {
  if (mark.is_null()) return {file_, 0, 0};
  return {file_, mark.line + 1, mark.column + 1};
}

void YamlBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (++documents_ > 1) {
    throw YamlStop{error("E0106", loc(mark), "a second document starts here; a file holds exactly one")};
  }
}

void YamlBuilder::refuse_decorations(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
  if (anchor != 0) throw YamlStop{error("E0107", loc(mark), "anchors (&name) are not supported")};
  if (!tag.empty() && tag != kPlainTag && tag != kQuotedTag) {
    throw YamlStop{error("E0107", loc(mark), fmt::format("tags are not supported, got {}", quote_text(tag)))};
  }
}

/// yaml-cpp takes an unterminated quote as text up to the end of the file, swallowing every key behind it. So a
/// quoted text must end on the line where it starts, which also puts the message where the mistake is.
void YamlBuilder::check_quotes(const YAML::Mark& mark) const {
  if (mark.is_null() || static_cast<size_t>(mark.line) >= line_starts_.size()) return;
  const size_t start = line_starts_[static_cast<size_t>(mark.line)] + static_cast<size_t>(mark.column);
  const char quote = start < text_.size() ? text_[start] : '\0';
  if (quote == '|' || quote == '>') return;  // block text
  if (quote != '"' && quote != '\'') throw YamlStop{error("E0107", loc(mark), "tags are not supported, got '!'")};
  for (size_t i = start + 1; i < text_.size() && text_[i] != '\n'; ++i) {
    if (quote == '"' && text_[i] == '\\') ++i;
    else if (text_[i] == quote) return;
  }
  throw YamlStop{error("E0112", loc(mark), "the quote opened here is not closed on its line")};
}

void YamlBuilder::count_node(const YAML::Mark& mark) {
  if (++nodes_ > limits_.max_nodes) {
    throw YamlStop{error("E0102", loc(mark), fmt::format("more than {} values in one file", limits_.max_nodes))};
  }
}

void YamlBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  refuse_decorations(mark, "", anchor);
  count_node(mark);
  YamlNode node;
  node.loc = loc(mark);
  add(std::move(node));
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) {
  throw YamlStop{error("E0107", loc(mark), "aliases (*name) are not supported")};
}

void YamlBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  refuse_decorations(mark, tag, anchor);
  if (tag == kQuotedTag) check_quotes(mark);
  count_node(mark);
  YamlNode node;
  node.kind = YamlNode::Kind::kScalar;
  node.loc = loc(mark);
  node.scalar = value;
  node.is_quoted = tag == kQuotedTag;
  add(std::move(node));
}

void YamlBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                  YAML::EmitterStyle::value /*style*/) {
  refuse_decorations(mark, tag, anchor);
  YamlNode node;
  node.kind = YamlNode::Kind::kSequence;
  open(std::move(node), mark);
}

void YamlBuilder::OnSequenceEnd() { close(); }

void YamlBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value /*style*/) {
  refuse_decorations(mark, tag, anchor);
  YamlNode node;
  node.kind = YamlNode::Kind::kMap;
  open(std::move(node), mark);
}

void YamlBuilder::OnMapEnd() { close(); }

void YamlBuilder::open(YamlNode node, const YAML::Mark& mark) {
  count_node(mark);
  node.loc = loc(mark);
  if (!frames_.empty() && frames_.back().node.is_map() && !frames_.back().has_key) {
    throw YamlStop{error("E0110", node.loc, "a key must be plain text, not a map or a sequence",
                         {"this is also how a bracket looks that is never closed"})};
  }
  if (static_cast<int>(frames_.size()) >= limits_.max_depth) {
    throw YamlStop{error("E0108", node.loc, fmt::format("nested deeper than {} levels", limits_.max_depth))};
  }
  frames_.emplace_back();
  frames_.back().node = std::move(node);
}

void YamlBuilder::close() {
  YamlNode node = std::move(frames_.back().node);
  frames_.pop_back();
  add(std::move(node));
}

void YamlBuilder::add(YamlNode node) {
  if (frames_.empty()) {
    root_ = std::move(node);
    return;
  }
  Frame& frame = frames_.back();
  if (frame.node.is_sequence()) {
    frame.node.items.push_back(std::move(node));
  } else if (!frame.has_key) {
    take_key(frame, node);
  } else {
    frame.has_key = false;
    if (node.is_null()) node.loc = frame.pending.key_loc;  // yaml-cpp puts it at whatever comes next
    frame.pending.value = std::move(node);
    const auto [first, is_new] = frame.keys.try_emplace(frame.pending.key, frame.pending.key_loc);
    if (is_new) {
      frame.node.entries.push_back(std::move(frame.pending));
    } else {
      sink_.report(error("E0109", frame.pending.key_loc, fmt::format("duplicate key {}", quote_text(frame.pending.key)),
                         {fmt::format("first given at {}:{}:{}", file_, first->second.line, first->second.column)}));
    }
    frame.pending = {};
  }
}

void YamlBuilder::take_key(Frame& frame, const YamlNode& key) {
  if (!key.is_scalar()) throw YamlStop{error("E0110", key.loc, "a key must be plain text, got nothing")};
  if (key.scalar == "<<" && !key.is_quoted) {
    throw YamlStop{error("E0107", key.loc, "merge keys (<<) are not supported")};
  }
  frame.pending.key = key.scalar;
  frame.pending.key_loc = key.loc;
  frame.has_key = true;
}

}  // namespace lockstep::internal
