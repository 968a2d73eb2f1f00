#include "hw/sysc/event_recorder.h"

#include "hw/base/check.h"

namespace lockstep::sysc {

void EventRecorder::dispatch(int64_t cycle, unsigned engine, uint32_t pc, uint32_t tag) {
  if (!keep_) return;
  const size_t index = target::log_index(static_cast<isa::EngineId>(engine));
  auto& records = log_.instrs[index];
  target::InstrEvent record;
  record.engine = static_cast<isa::EngineId>(engine);
  record.pc = pc;
  record.seq = records.size();
  record.tag = tag;
  record.dispatch = cycle;
  record.issue = record.source_free = record.done = -1;
  records.push_back(record);
}

void EventRecorder::strobes(int64_t cycle, uint32_t issue, uint32_t source_free, uint32_t done) {
  if (!keep_) return;
  for (uint32_t bits = issue | source_free | done; bits != 0; bits &= bits - 1) {
    const auto engine = static_cast<size_t>(__builtin_ctz(bits));
    const uint32_t bit = 1u << engine;
    auto& records = log_.instrs[engine];
    const auto stamp = [&](uint32_t mask, size_t& next, int64_t target::InstrEvent::*field) {
      if ((mask & bit) == 0) return;
      CHECK(next < records.size()) << "event strobe without a dispatched word, engine " << engine;
      records[next++].*field = cycle;
    };
    stamp(issue, next_issue_[engine], &target::InstrEvent::issue);
    stamp(source_free, next_source_free_[engine], &target::InstrEvent::source_free);
    stamp(done, next_done_[engine], &target::InstrEvent::done);
  }
}

void EventRecorder::sequencer_done(int64_t cycle) {
  if (!keep_) return;
  auto& records = log_.instrs[isa::kEngineCount];
  CHECK(next_done_[isa::kEngineCount] < records.size()) << "sequencer done without SYNC or HALT";
  records[next_done_[isa::kEngineCount]++].done = cycle;
}

void EventRecorder::burst_grant(int64_t cycle, unsigned engine) {
  if (!keep_) return;
  auto& records = log_.bursts[engine];
  records.push_back({static_cast<isa::EngineId>(engine), records.size(), cycle, -1, -1});
}

void EventRecorder::burst_beat(int64_t cycle, unsigned engine, bool last) {
  if (!keep_) return;
  auto& records = log_.bursts[engine];
  CHECK(next_beat_[engine] < records.size()) << "beat without a granted burst, engine " << engine;
  target::BurstEvent& record = records[next_beat_[engine]];
  if (!in_burst_[engine]) record.first_beat = cycle;
  in_burst_[engine] = !last;
  if (last) {
    record.last_beat = cycle;
    ++next_beat_[engine];
  }
}

}  // namespace lockstep::sysc
