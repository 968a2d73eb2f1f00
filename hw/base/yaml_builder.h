// Builds a YamlNode tree from yaml-cpp events and refuses what strict YAML does not have. Internal to hw/base.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include "hw/base/diag.h"
#include "hw/base/yaml_parse.h"

namespace lockstep::internal {

/// Thrown through yaml-cpp to stop at an error that makes the rest meaningless; caught in parse_yaml.
struct YamlStop {
  Diag diag;
};

class YamlBuilder final : public YAML::EventHandler {
 public:
  /// `text` (without byte order mark) must outlive the builder.
  YamlBuilder(std::string_view text, std::string file, const YamlLimits& limits, DiagSink& sink);

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

  SourceLoc loc(const YAML::Mark& mark) const;
  YamlNode take_root() { return std::move(root_); }

 private:
  /// A container still open, and the key waiting for its value.
  struct Frame {
    YamlNode node;
    bool has_key = false;
    YamlEntry pending;
    std::unordered_map<std::string, SourceLoc> keys;  // where each key was first given
  };

  void refuse_decorations(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const;
  void check_quotes(const YAML::Mark& mark) const;
  void count_node(const YAML::Mark& mark);
  void open(YamlNode node, const YAML::Mark& mark);
  void close();
  void add(YamlNode node);
  void take_key(Frame& frame, const YamlNode& key);

  std::string_view text_;
  std::vector<size_t> line_starts_;
  std::string file_;
  YamlLimits limits_;
  DiagSink& sink_;
  std::vector<Frame> frames_;
  YamlNode root_;
  int nodes_ = 0;
  int documents_ = 0;
};

}  // namespace lockstep::internal
