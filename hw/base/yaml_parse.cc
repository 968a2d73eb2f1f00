#include "hw/base/yaml_parse.h"

#include <exception>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "hw/base/file_io.h"
#include "hw/base/printable.h"
#include "hw/base/text_check.h"
#include "hw/base/yaml_builder.h"

namespace lockstep {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// yaml-cpp's own words, except where they mislead.
Diag syntax_error(const YAML::Exception& exception, const SourceLoc& loc) {
  if (exception.msg == YAML::ErrorMsg::BAD_FILE) {  // its recursion guard reports this
    return error("E0108", loc, "nested too deep");
  }
  if (exception.msg == YAML::ErrorMsg::UNKNOWN_ANCHOR || exception.msg == YAML::ErrorMsg::ALIAS_NOT_FOUND) {
    return error("E0107", loc, "aliases (*name) are not supported");
  }
  std::vector<std::string> notes;
  if (exception.msg == YAML::ErrorMsg::MAP_VALUE || exception.msg == YAML::ErrorMsg::END_OF_MAP) {
    notes.emplace_back("look for a missing space behind ':' or a line indented differently from its neighbours");
  }
  return error("E0104", loc, fmt::format("not valid YAML: {}", exception.msg), std::move(notes));
}

/// Feeds every document to `builder` (which refuses a second one); false when there was none.
bool build(std::string_view text, internal::YamlBuilder& builder, DiagSink& sink) {
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return false;
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const internal::YamlStop& stop) {
    sink.report(stop.diag);
  } catch (const YAML::Exception& exception) {
    sink.report(syntax_error(exception, builder.loc(exception.mark)));
  } catch (const std::exception& exception) {  // the library's containers, e.g. out of memory
    sink.report(error("E0104", builder.loc(YAML::Mark::null_mark()),
                      fmt::format("not valid YAML: {}", exception.what())));
  }
  return true;
}

}  // namespace

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull: return "nothing";
    case YamlNode::Kind::kScalar: return quote_text(node.scalar);
    case YamlNode::Kind::kSequence: return "a sequence";
    case YamlNode::Kind::kMap: return "a map";
  }
  return "nothing";
}

Result<YamlDocument> parse_yaml(std::string_view text, const std::string& file, const YamlLimits& limits) {
  DiagSink sink;
  if (static_cast<int64_t>(text.size()) > limits.max_bytes) {
    return error("E0102", {file, 0, 0}, fmt::format("larger than the limit of {} bytes", limits.max_bytes));
  }
  check_is_text(text, file, sink);
  if (sink.has_errors()) return sink.diags();
  check_yaml_lines(text, file, sink);
  if (sink.has_errors()) return sink.diags();

  YamlDocument document;
  document.file = file;
  document.text = std::make_shared<const std::string>(text);
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  internal::YamlBuilder builder(text, file, limits, sink);
  const bool has_document = build(text, builder, sink);
  if (sink.has_errors()) return sink.diags();
  document.root = builder.take_root();
  if (!has_document || document.root.is_null()) return error("E0105", {file, 0, 0}, "the file is empty");
  return document;
}

Result<YamlDocument> read_yaml(const std::string& path, const SourceLoc& loc, const YamlLimits& limits) {
  Result<std::string> text = read_file(path, limits.max_bytes, loc);
  if (!text.ok()) return text.diags();
  return parse_yaml(*text, path, limits);
}

}  // namespace lockstep
