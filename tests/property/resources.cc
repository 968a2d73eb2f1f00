#include "tests/property/resources.h"

#include <numeric>
#include <utility>

namespace lockstep::testgen {
namespace {

constexpr int64_t kMaxHbmBytes = 1 << 20;

template <typename Container>
void shuffle(Container& values, Rng& random) {
  for (size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[random.below(k)]);
}

}  // namespace

Resources::Resources(const chip::ChipSpec& chip, uint64_t layout_seed)
    : chip_(chip), plain_(layout_seed == 0), random_(layout_seed) {
  std::iota(sem_order_.begin(), sem_order_.end(), uint8_t{0});
  std::iota(ring_order_.begin(), ring_order_.end(), uint8_t{0});
  levels_.resize(isa::kLoopLevels);
  std::iota(levels_.begin(), levels_.end(), uint8_t{0});
  ring_modulus_.fill(1);
  if (plain_) return;
  shuffle(sem_order_, random_);
  shuffle(ring_order_, random_);
  shuffle(levels_, random_);
  for (int64_t& base : bases_) base = random_.between(-64, 64) * granule();
  next_hbm_ = gap(40);
  next_vmem_ = gap(40);
}

int64_t Resources::gap(int64_t limit) { return plain_ ? 0 : random_.between(0, limit) * granule(); }

int64_t Resources::vmem(int64_t bytes, int64_t align) {
  const int64_t begin = (next_vmem_ + gap(3) + align - 1) / align * align;
  next_vmem_ = (begin + bytes + granule() - 1) / granule() * granule();
  if (next_vmem_ > chip::vmem_bytes(chip_)) fail();
  return begin;
}

bool Resources::acc_fits(int mxu, int64_t rows) const {
  return next_acc_[static_cast<size_t>(mxu)] + rows + 2 <= chip_.mxu.acc_rows;
}

int64_t Resources::acc(int mxu, int64_t rows) {
  int64_t& next = next_acc_[static_cast<size_t>(mxu)];
  const int64_t begin = next + (plain_ ? 0 : random_.between(0, 2));
  next = begin + rows;
  if (next > chip_.mxu.acc_rows) fail();
  return begin;
}

int64_t Resources::hbm(int64_t low, int64_t high) {
  const int64_t begin = next_hbm_ + gap(6);
  next_hbm_ = begin + (high - low);
  if (next_hbm_ > kMaxHbmBytes) fail();
  return begin - low;
}

isa::HbmOperand Resources::hbm_operand(int64_t address) const {
  isa::HbmOperand operand;
  // Any register will do; a function of the address keeps lowering free of hidden state.
  operand.base = plain_ ? uint8_t{0} : static_cast<uint8_t>(address / granule() % isa::kBaseRegisters);
  operand.imm = address - bases_[operand.base];
  return operand;
}

uint8_t Resources::semaphore(int start_count) {
  if (used_sems_ == isa::kSemaphores || start_count > 255) {
    fail();
    return 0;
  }
  const uint8_t sem = sem_order_[static_cast<size_t>(used_sems_++)];
  sem_start_[sem] = static_cast<uint8_t>(start_count);
  return sem;
}

uint8_t Resources::ring(int modulus) {
  if (used_rings_ == isa::kRings) {
    fail();
    return 0;
  }
  const uint8_t ring = ring_order_[static_cast<size_t>(used_rings_++)];
  ring_modulus_[ring] = static_cast<uint8_t>(modulus);
  return ring;
}

uint8_t Resources::loop_id() {
  if (used_loops_ == 255) {
    fail();
    return 0;
  }
  return static_cast<uint8_t>(used_loops_++);
}

void Resources::recycle() {
  next_vmem_ = gap(20);
  next_acc_ = {};
}

void Resources::fill_header(isa::Program& program) const {
  program.base_registers = bases_;
  program.semaphores = sem_start_;
  for (size_t r = 0; r < ring_modulus_.size(); ++r) program.rings[r] = {ring_modulus_[r], 0};
  program.hbm_bytes = next_hbm_;
}

std::vector<uint8_t> Resources::levels() const { return levels_; }

}  // namespace lockstep::testgen
