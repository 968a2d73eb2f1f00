#include "sweep/report/chrome_trace.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep::sweep {

namespace {

constexpr int kBurstTrackOffset = 100;  // burst track of engine e has tid e + 100

/// One rectangle: [start, end) in cycles. Rectangles of a track never overlap.
struct Slice {
  int64_t start = 0;
  int64_t end = 0;
  int pid = 0;
  int tid = 0;
  const target::InstrEvent* instr = nullptr;  // exactly one of the two
  const target::BurstEvent* burst = nullptr;
};

/// An engine's slice ends when it has read its operands or when the next word issues, whichever comes first:
/// results may still be in flight (`done` in args), but the engine is free.
void collect_engine(const std::vector<target::InstrEvent>& events, int pid, std::vector<Slice>& slices) {
  for (size_t i = 0; i < events.size(); ++i) {
    const target::InstrEvent& event = events[i];
    const bool sequencer = event.engine == isa::kSequencer;
    const int64_t start = sequencer ? event.dispatch : event.issue;
    int64_t end = (sequencer ? event.done : event.source_free) + 1;
    if (i + 1 < events.size()) end = std::min(end, sequencer ? events[i + 1].dispatch : events[i + 1].issue);
    slices.push_back({start, std::max(end, start), pid, event.engine, &event, nullptr});
  }
}

void collect_bursts(const std::vector<target::BurstEvent>& events, int pid, std::vector<Slice>& slices) {
  for (const target::BurstEvent& event : events) {
    slices.push_back({event.first_beat, event.last_beat + 1, pid, event.engine + kBurstTrackOffset, nullptr, &event});
  }
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

/// Names of processes and tracks, in engine order.
void append_metadata(const std::vector<TraceSource>& sources, std::string& out) {
  for (size_t s = 0; s < sources.size(); ++s) {
    const int pid = static_cast<int>(s) + 1;
    out += fmt::format(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}},)" "\n", pid,
                       quoted(sources[s].name));
    const auto track = [&](int tid, int order, const std::string& name) {
      out += fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}},)" "\n", pid, tid,
                         quoted(name));
      out += fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}},)" "\n",
                         pid, tid, order);
    };
    const target::EventLog& log = *sources[s].events;
    if (!log.instrs[target::log_index(isa::kSequencer)].empty()) track(isa::kSequencer, 0, "sequencer");
    for (int e = 0; e < isa::kEngineCount; ++e) {
      const std::string name = isa::engine_name(static_cast<isa::EngineId>(e));
      if (!log.instrs[static_cast<size_t>(e)].empty()) track(e, 2 * e + 1, name);
      if (!log.bursts[static_cast<size_t>(e)].empty()) track(e + kBurstTrackOffset, 2 * e + 2, name + " bursts");
    }
  }
}

class SliceWriter {
 public:
  SliceWriter(const isa::Program& program, int clock_MHz) : program_(program), clock_MHz_(clock_MHz) {
    for (const isa::OpName& op : program.ops) names_.emplace(op.tag, op.name);
  }

  std::string text(const Slice& slice) const {
    // Chrome counts in microseconds: cycles / MHz.
    return fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"args":{{{}}}}})", slice.pid, slice.tid,
                       microseconds(slice.start), microseconds(slice.end - slice.start), quoted(name(slice)),
                       args(slice));
  }

 private:
  double microseconds(int64_t cycles) const { return static_cast<double>(cycles) / clock_MHz_; }

  std::string name(const Slice& slice) const {
    if (slice.burst != nullptr) return "burst";
    const target::InstrEvent& event = *slice.instr;
    std::string text = event.pc < program_.code.size() ? isa::op_name(program_.code[event.pc].op) : "?";
    const auto found = names_.find(event.tag);
    if (found != names_.end()) text += " " + found->second;
    return text;
  }

  static std::string args(const Slice& slice) {
    if (slice.burst != nullptr) {
      const target::BurstEvent& b = *slice.burst;
      return fmt::format(R"("seq":{},"grant":{},"first_beat":{},"last_beat":{})", b.seq, b.grant, b.first_beat,
                         b.last_beat);
    }
    const target::InstrEvent& e = *slice.instr;
    return fmt::format(R"("pc":{},"seq":{},"tag":{},"dispatch":{},"issue":{},"source_free":{},"done":{})", e.pc, e.seq,
                       e.tag, e.dispatch, e.issue, e.source_free, e.done);
  }

  const isa::Program& program_;
  int clock_MHz_;
  std::unordered_map<uint32_t, std::string> names_;
};

}  // namespace

TraceText chrome_trace(const isa::Program& program, const std::vector<TraceSource>& sources,
                       const TraceOptions& options) {
  std::vector<Slice> slices;
  for (size_t s = 0; s < sources.size(); ++s) {
    const int pid = static_cast<int>(s) + 1;
    for (const auto& events : sources[s].events->instrs) collect_engine(events, pid, slices);
    for (const auto& events : sources[s].events->bursts) collect_bursts(events, pid, slices);
  }
  // In order of time, so that a cut trace is a prefix of the run on every track.
  std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.start < b.start; });

  TraceText trace;
  trace.json = fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"program\":{},\"clock_MHz\":{}}},\n",
                           quoted(program.name), options.clock_MHz);
  trace.json += "\"traceEvents\":[\n";
  append_metadata(sources, trace.json);
  const SliceWriter writer(program, options.clock_MHz);
  for (const Slice& slice : slices) {
    const std::string line = writer.text(slice);
    if (trace.json.size() + line.size() + 200 > options.max_bytes) {
      trace.cut_cycle = slice.start;
      break;
    }
    trace.json += line;
    trace.json += ",\n";
    ++trace.slices;
  }
  // The closing instant carries the cut, and makes every line before it end in a comma.
  trace.json += fmt::format(R"({{"ph":"i","s":"g","pid":1,"tid":{},"ts":0,"name":{},"args":{{"cut_cycle":{}}}}})",
                            isa::kSequencer, trace.cut_cycle < 0 ? "\"complete\"" : "\"truncated\"", trace.cut_cycle);
  trace.json += "\n]}\n";
  return trace;
}

}  // namespace lockstep::sweep
