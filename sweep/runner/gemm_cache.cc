#include "sweep/runner/gemm_cache.h"

#include <algorithm>

#include <fmt/format.h>

namespace lockstep::sweep {

namespace {

/// Everything an outcome depends on. timing_hash() leaves out dram.size_GiB, which decides whether a tensor fits.
std::string key_of(const ir::Gemm& gemm, const chip::ChipSpec& chip, const pipeline::Knobs& knobs) {
  return fmt::format("{}x{}x{}:{}>{}|{:016x}|{}|{}", gemm.m, gemm.n, gemm.k, static_cast<int>(gemm.input),
                     static_cast<int>(gemm.output), chip::timing_hash(chip), chip.dram.size_GiB,
                     pipeline::print(knobs));
}

GemmOutcome failure(std::string reason) {
  GemmOutcome outcome;
  outcome.state = TrialState::kFailed;
  outcome.reason = std::move(reason);
  return outcome;
}

/// A result that cannot be right must not reach a table.
std::string implausible(const ir::Gemm& gemm, const chip::ChipSpec& chip, const target::RunResult& run,
                        const pipeline::Compiled& compiled) {
  if (run.cycles <= 0) return "the model reports no cycles";
  const auto macs = static_cast<uint64_t>(gemm.m) * static_cast<uint64_t>(gemm.n) * static_cast<uint64_t>(gemm.k);
  if (run.counters.macs != macs) return fmt::format("the program does {} products instead of {}", run.counters.macs, macs);
  const analysis::OperandBytes bytes = analysis::operand_bytes(gemm);
  const auto read = static_cast<int64_t>(run.counters.hbm_read_bytes);
  if (read < bytes.activations + bytes.weights) {
    return fmt::format("the program reads {} bytes, its operands have {}", read, bytes.activations + bytes.weights);
  }
  // A store is done when it reaches the memory (DMA-4), which may still hold a burst in each command slot.
  const double queued_bytes = static_cast<double>(chip.dram.channels) * chip.dram.command_slots * chip.dma.burst_bytes;
  const auto queued_cycles = static_cast<int64_t>(queued_bytes / chip::dram_bytes_per_cycle(chip)) + 1;
  const analysis::Bounds& bounds = compiled.bounds;
  const int64_t bound =
      std::max({bounds.compute_cycles, bounds.weight_load_cycles, bounds.hbm_cycles - queued_cycles});
  if (run.cycles < bound) return fmt::format("{} cycles are below the bound of {}", run.cycles, bound);
  return {};
}

GemmOutcome run_compiled(const ir::Gemm& gemm, const chip::ChipSpec& chip, const pipeline::Compiled& compiled,
                         const TargetFactory& model) {
  const auto target = model(chip);
  if (!target.ok()) return failure(reason_of(target.diags()));
  target::MemoryImage no_data;
  const Result<target::RunResult> run = (*target)->run(compiled.program, no_data, {});
  if (!run.ok()) return failure(reason_of(run.diags()));
  if (run->fault) {
    return failure(fmt::format("{}: {}", run->fault->code, run->fault->detail));
  }
  if (std::string problem = implausible(gemm, chip, *run, compiled); !problem.empty()) {
    return failure(std::move(problem));
  }
  GemmOutcome outcome;
  outcome.cycles = run->cycles;
  outcome.counters = run->counters;
  outcome.vmem_bytes = compiled.vmem_bytes;
  outcome.schedule = compiled.schedule;
  outcome.bounds = compiled.bounds;
  return outcome;
}

/// A stand-in for every gemm of its shape: an outcome must not depend on which of them asked first.
ir::Gemm nameless(const ir::Gemm& gemm) {
  ir::Gemm copy = gemm;
  copy.name = "gemm";
  copy.count = 1;
  copy.loc = {};
  return copy;
}

GemmOutcome evaluate_once(const ir::Gemm& gemm, const chip::ChipSpec& chip, const pipeline::Knobs& knobs,
                          const TargetFactory& model) {
  const Result<pipeline::CompileOutcome> compiled = pipeline::compile(gemm, chip, knobs);
  if (!compiled.ok()) return failure(reason_of(compiled.diags()));
  if (const auto* infeasible = std::get_if<ir::Infeasible>(&*compiled)) {
    GemmOutcome outcome;
    outcome.state = TrialState::kInfeasible;
    outcome.reason = fmt::format("{}: {}", infeasible->code, infeasible->detail);
    return outcome;
  }
  return run_compiled(gemm, chip, std::get<pipeline::Compiled>(*compiled), model);
}

}  // namespace

std::shared_ptr<const GemmOutcome> GemmCache::evaluate(const ir::Gemm& gemm, const chip::ChipSpec& chip,
                                                       const pipeline::Knobs& knobs) {
  const std::string key = key_of(gemm, chip, knobs);
  std::promise<std::shared_ptr<const GemmOutcome>> promise;
  Future future;
  bool is_mine = false;
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto found = outcomes_.find(key);
    is_mine = found == outcomes_.end();
    future = is_mine ? outcomes_.emplace(key, promise.get_future().share()).first->second : found->second;
  }
  if (is_mine) promise.set_value(std::make_shared<const GemmOutcome>(evaluate_once(nameless(gemm), chip, knobs, model_)));
  return future.get();
}

int64_t GemmCache::evaluations() const {
  const std::lock_guard<std::mutex> guard(mutex_);
  return static_cast<int64_t>(outcomes_.size());
}

std::string reason_of(const std::vector<Diag>& diags) {
  if (diags.empty()) return {};
  const std::string first = fmt::format("{}: {}", diags.front().code, diags.front().message);
  return diags.size() == 1 ? first : fmt::format("{} (and {} more)", first, diags.size() - 1);
}

}  // namespace lockstep::sweep
