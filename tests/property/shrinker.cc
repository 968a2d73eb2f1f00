#include "tests/property/shrinker.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/property/program_gen.h"
#include "tests/property/program_thinner.h"
#include "tests/property/scenario_fields.h"

namespace lockstep::testgen {
namespace {

class Shrinker {
 public:
  Shrinker(const Scenario& scenario, const chip::ChipSpec& chip, const Failing& failing, const ShrinkOptions& options)
      : best_(scenario), chip_(chip), failing_(failing), options_(options) {}

  Shrunk run() {
    while (!spent() && (drop_parts() | plain_settings() | drop_loops() | plain_numbers())) {
    }
    Shrunk out;
    out.program = lower(best_, chip_);
    thin(out.program, chip_, [&](const isa::Program& program) { return !spent() && (++tries_, failing_(program)); });
    out.scenario = std::move(best_);
    out.tries = tries_;
    return out;
  }

 private:
  bool spent() const { return tries_ >= options_.max_tries; }

  /// Keeps `candidate` if it lowers to a program that still fails.
  bool attempt(const Scenario& candidate) {
    if (spent()) return false;
    ++tries_;
    if (!failing_(lower(candidate, chip_))) return false;
    best_ = candidate;
    return true;
  }

  template <typename Change>
  bool attempt_change(Change&& change) {
    Scenario candidate = best_;
    change(candidate);
    return attempt(candidate);
  }

  bool drop_parts() {
    bool progress = false;
    for (size_t p = best_.phases.size(); p-- > 0;) {
      progress |= attempt_change([&](Scenario& s) { s.phases.erase(s.phases.begin() + static_cast<std::ptrdiff_t>(p)); });
    }
    for (size_t p = 0; p < best_.phases.size(); ++p) {
      for (size_t f = best_.phases[p].flows.size(); f-- > 0;) {
        progress |= attempt_change([&](Scenario& s) {
          auto& flows = s.phases[p].flows;
          flows.erase(flows.begin() + static_cast<std::ptrdiff_t>(f));
        });
      }
      for (size_t f = 0; f < best_.phases[p].flows.size(); ++f) {
        const auto* gemm = std::get_if<GemmSpec>(&best_.phases[p].flows[f]);
        if (gemm == nullptr || gemm->layers.size() < 2) continue;
        progress |= attempt_change([&](Scenario& s) { std::get<GemmSpec>(s.phases[p].flows[f]).layers.pop_back(); });
      }
    }
    return progress;
  }

  bool plain_settings() {
    bool progress = false;
    if (best_.syncs > 0) {
      progress |= attempt_change([](Scenario& s) { s.syncs = 0; }) || attempt_change([](Scenario& s) { --s.syncs; });
    }
    if (best_.layout_seed != 0) progress |= attempt_change([](Scenario& s) { s.layout_seed = 0; });
    for (size_t p = 0; p < best_.phases.size(); ++p) {
      if (best_.phases[p].mix_seed != 0) progress |= attempt_change([&](Scenario& s) { s.phases[p].mix_seed = 0; });
      if (best_.phases[p].fuse != 0) progress |= attempt_change([&](Scenario& s) { s.phases[p].fuse = 0; });
      if (best_.phases[p].sync_after != 0) progress |= attempt_change([&](Scenario& s) { s.phases[p].sync_after = 0; });
    }
    return progress;
  }

  static void erase_loop(NestSpec& nest, size_t level) {
    for (std::vector<int>* list : {&nest.trips, &nest.load_strides, &nest.store_strides, &nest.chip_strides}) {
      if (level < list->size()) list->erase(list->begin() + static_cast<std::ptrdiff_t>(level));
    }
  }

  bool drop_loops() {
    bool progress = false;
    for (size_t p = 0; p < best_.phases.size(); ++p) {
      for (size_t f = 0; f < best_.phases[p].flows.size(); ++f) {
        const NestSpec* nest = nest_of(best_.phases[p].flows[f]);
        for (size_t level = nest == nullptr ? 0 : nest->trips.size(); level-- > 0;) {
          progress |= attempt_change([&](Scenario& s) { erase_loop(*nest_of(s.phases[p].flows[f]), level); });
        }
      }
    }
    return progress;
  }

  /// Field `index` of a flow, as visit_fields counts; null when there are fewer.
  static int* field_at(Flow& flow, size_t index, int& plainest) {
    int* found = nullptr;
    size_t count = 0;
    visit_fields(flow, [&](const char*, int& value, int plain) {
      if (count++ != index) return;
      found = &value;
      plainest = plain;
    });
    return found;
  }

  bool plain_numbers() {
    bool progress = false;
    for (size_t p = 0; p < best_.phases.size(); ++p) {
      for (size_t f = 0; f < best_.phases[p].flows.size(); ++f) {
        int plainest = 0;
        for (size_t k = 0; field_at(best_.phases[p].flows[f], k, plainest) != nullptr; ++k) progress |= plain_number(p, f, k);
      }
    }
    return progress;
  }

  /// All the way, else half way, else one step, as long as it goes.
  bool plain_number(size_t p, size_t f, size_t k) {
    bool progress = false;
    int plainest = 0;
    while (true) {
      const int now = *field_at(best_.phases[p].flows[f], k, plainest);
      if (now == plainest) return progress;
      const int step = now > plainest ? -1 : 1;
      bool moved = false;
      for (const int value : {plainest, plainest + (now - plainest) / 2, now + step}) {
        if (value == now || moved) continue;
        moved = attempt_change([&](Scenario& s) {
          int ignored = 0;
          *field_at(s.phases[p].flows[f], k, ignored) = value;
        });
      }
      if (!moved) return progress;
      progress = true;
    }
  }

  Scenario best_;
  const chip::ChipSpec& chip_;
  const Failing& failing_;
  const ShrinkOptions& options_;
  int tries_ = 0;
};

}  // namespace

Shrunk shrink(const Scenario& scenario, const chip::ChipSpec& chip, const Failing& failing, const ShrinkOptions& options) {
  return Shrinker(scenario, chip, failing, options).run();
}

}  // namespace lockstep::testgen
