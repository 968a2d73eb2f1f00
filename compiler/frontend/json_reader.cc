#include "compiler/frontend/json_reader.h"

#include <algorithm>
#include <exception>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hw/base/printable.h"

namespace lockstep::frontend {

namespace {

using Json = nlohmann::json;

constexpr size_t kMaxDepth = 32;
constexpr size_t kMaxBytes = size_t{4} << 20;

/// The parser's words quote the input: without the bytes that could upset a terminal, and not endless.
std::string plain(std::string text) {
  if (text.size() > 200) text.resize(200);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  }
  return text;
}

/// Counts the characters the parser has taken, which is how an event learns its place: the parser's callbacks
/// carry no position, and its copies of the iterator share this counter.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, size_t* taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*taken_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  size_t* taken_;
};

class TreeBuilder final : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(std::string_view text, const std::string& file, const size_t& taken)
      : text_(text), file_(file), taken_(taken) {}

  bool null() override { return add({}); }
  bool boolean(bool value) override {
    JsonNode node;
    node.kind = JsonNode::Kind::kBool;
    node.boolean = value;
    return add(std::move(node));
  }
  bool number_integer(number_integer_t value) override {
    JsonNode node;
    node.kind = JsonNode::Kind::kInteger;
    node.integer = value;
    return add(std::move(node));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) return number_float(static_cast<double>(value), {});
    return number_integer(static_cast<int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    JsonNode node;
    node.kind = JsonNode::Kind::kReal;
    node.real = value;
    return add(std::move(node));
  }
  bool string(string_t& value) override {
    JsonNode node;
    node.kind = JsonNode::Kind::kString;
    node.text = value;
    return add(std::move(node));
  }
  bool binary(binary_t&) override { return false; }  // not reachable from JSON text
  bool start_object(size_t) override { return open(JsonNode::Kind::kObject); }
  bool start_array(size_t) override { return open(JsonNode::Kind::kArray); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    const SourceLoc loc = key_loc();
    std::vector<JsonMember>& members = open_.back().members;
    const auto same = std::find_if(members.begin(), members.end(), [&](const JsonMember& m) { return m.key == name; });
    if (same != members.end()) {
      problems_.push_back(error("E1051", loc, fmt::format("duplicate key {}", quote_text(name)),
                                {fmt::format("first given at line {}", same->loc.line)}));
    }
    members.push_back({name, loc, {}});
    return true;
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& exception) override {
    const std::string what = exception.what();
    size_t start = what.find("syntax error");
    if (start == std::string::npos) start = what.find("] ") == std::string::npos ? 0 : what.find("] ") + 2;
    problems_.push_back(error("E1050", loc_at(position == 0 ? 0 : position - 1), "not valid JSON: " + plain(what.substr(start))));
    return false;
  }

  JsonNode take_root() { return std::move(root_); }
  std::vector<Diag>& problems() { return problems_; }

 private:
  bool add(JsonNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().kind == JsonNode::Kind::kArray) {
      open_.back().items.push_back(std::move(node));
    } else {
      open_.back().members.back().value = std::move(node);
    }
    return true;
  }

  bool open(JsonNode::Kind kind) {
    if (open_.size() >= kMaxDepth) {
      problems_.push_back(error("E1050", loc_at(taken_ - 1), fmt::format("nested deeper than {} levels", kMaxDepth)));
      return false;
    }
    open_.emplace_back().kind = kind;
    return true;
  }

  bool close() {
    JsonNode done = std::move(open_.back());
    open_.pop_back();
    return add(std::move(done));
  }

  /// The parser has just taken the closing quote of a key: the opening one is the nearest before it that is not escaped.
  SourceLoc key_loc() const {
    size_t at = taken_ >= 2 ? taken_ - 2 : 0;
    const auto escaped = [&](size_t quote) {
      size_t slashes = 0;
      while (slashes < quote && text_[quote - 1 - slashes] == '\\') ++slashes;
      return slashes % 2 == 1;
    };
    while (at > 0 && (text_[at] != '"' || escaped(at))) --at;
    return loc_at(at);
  }

  SourceLoc loc_at(size_t offset) const {
    SourceLoc loc{file_, 1, 1};
    for (size_t i = 0; i < std::min(offset, text_.size()); ++i) {
      loc.column = text_[i] == '\n' ? 1 : loc.column + 1;
      loc.line += text_[i] == '\n' ? 1 : 0;
    }
    return loc;
  }

  std::string_view text_;
  const std::string& file_;
  const size_t& taken_;
  std::vector<JsonNode> open_;
  JsonNode root_;
  std::vector<Diag> problems_;
};

}  // namespace

const JsonMember* JsonNode::find(std::string_view key) const {
  for (const JsonMember& member : members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

Result<JsonNode> parse_json(std::string_view text, const std::string& file) {
  if (text.size() > kMaxBytes) return error("E1050", {file, 0, 0}, fmt::format("larger than {} bytes", kMaxBytes));
  size_t taken = 0;
  TreeBuilder builder(text, file, taken);
  const CountingIterator begin(text.data(), &taken);
  const CountingIterator end(text.data() + text.size(), &taken);
  bool complete = false;
  try {
    complete = Json::sax_parse(begin, end, &builder);
  } catch (const std::exception& exception) {  // no exception leaves this folder, whatever the parser does
    return error("E1050", {file, 0, 0}, fmt::format("not valid JSON: {}", exception.what()));
  }
  if (!builder.problems().empty()) return std::move(builder.problems());
  if (!complete) return error("E1050", {file, 0, 0}, "not valid JSON");
  return builder.take_root();
}

std::string describe(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::kNull: return "null";
    case JsonNode::Kind::kBool: return node.boolean ? "true" : "false";
    case JsonNode::Kind::kInteger: return fmt::format("{}", node.integer);
    case JsonNode::Kind::kReal: return fmt::format("{}", node.real);
    case JsonNode::Kind::kString: return quote_text(node.text);
    case JsonNode::Kind::kArray: return "a list";
    case JsonNode::Kind::kObject: return "an object";
  }
  return "nothing";
}

}  // namespace lockstep::frontend
