// One loaded buffer with three readers (SEM-6). An LD has two waits and two posts, so zero-length LDs before and
// behind it carry the third pair.
//
//   LD(0) LD LD(0)  WLD MM ST  VX ST
#include <algorithm>
#include <utility>

#include "tests/property/flows.h"
#include "tests/property/gemm_layout.h"

namespace lockstep::testgen {

using isa::Op;

namespace {

class FanOutLowering {
 public:
  FanOutLowering(Resources& res, const FanOutSpec& spec)
      : res_(res), spec_(spec), nest_(res, spec.nest), rows_(std::max(0, spec.rows)), store_(make_transfer(spec.store, res.granule())) {
    const chip::ChipSpec& chip = res.chip();
    const int64_t line = chip::line_bytes(chip), unit = std::max<int64_t>(line, res.granule());
    pitch_ = std::max(chip.mxu.rows, chip.mxu.cols);
    const int64_t used = std::max({pitch_ * chip.mxu.rows, pitch_ * rows_, store_.vmem_extent.size()});
    const int64_t bytes = (used + unit - 1) / unit * unit;
    buffer_ = make_vmem_store(res, bytes, spec.slots, line);
    acc_ = make_acc_store(res, spec.mxu, std::max<int64_t>(1, rows_), 1);
    out_bytes_ = std::max<int64_t>(1, rows_) * std::max<int64_t>(chip.mxu.cols * 4, res.granule());
    out_ = make_vmem_store(res, out_bytes_, 1, line);
    load_ = tile_transfer({}, false, bytes, res.granule());
    for (Link* link : {&to_wld_, &to_mm_, &to_st_}) *link = make_link(res, buffer_.slots, 1, 1, false);
    sums_ = make_link(res, 1, 1, 1, false);
    result_ = make_link(res, 1, 1, 1, true);
    res.need_init(out_.base, out_.base + out_bytes_);
    if (rows_ == 0) res.need_acc_init(spec.mxu);
    const Extent from = nest_.widen(load_.hbm_extent, spec.nest.load_strides, res.granule());
    const Extent to = nest_.widen(store_.hbm_extent, spec.nest.store_strides, res.granule());
    hbm_from_ = res.hbm(from.low, from.high);
    hbm_to_ = res.hbm(to.low, to.high);
    hbm_result_ = res.hbm(0, out_bytes_);
  }

  Block arrange() {
    Block body;
    const auto place = [&](isa::Instr word, const std::vector<Access>& waits, const std::vector<Access>& posts) {
      add_waits(res_, word, waits);
      add_posts(res_, word, posts);
      body.push_back(word_node(word));
    };
    const Access wld_in{&to_wld_, true}, mm_in{&to_mm_, true}, st_in{&to_st_, true};
    const Access wld_out{&to_wld_, false}, mm_out{&to_mm_, false}, st_out{&to_st_, false};
    const Access sums_in{&sums_, true}, sums_out{&sums_, false}, result_in{&result_, true}, result_out{&result_, false};
    place(gate_of(load_word()), {st_in}, {});
    place(load_word(), {wld_in, mm_in}, {wld_in, mm_in});
    place(gate_of(load_word()), {}, {st_in});
    place(wld_word(), {wld_out}, {wld_out});
    place(mm_word(), {mm_out, sums_in}, {mm_out, sums_in});
    place(store_word(), {st_out}, {st_out});
    place(vx_word(), {sums_out, result_in}, {sums_out, result_in});
    place(result_word(), {result_out}, {result_out});
    return nest_.wrap(std::move(body));
  }

 private:
  isa::Instr load_word() const {
    const int queue = std::clamp(spec_.ld_unit, 0, res_.chip().dma.load_queues - 1);
    isa::Instr word = dma_word(Op::kLd, queue, load_, res_.hbm_operand(hbm_from_), buffer_.base);
    auto& body = std::get<isa::DmaBody>(word.body);
    body.vmem.ring = ring_term(buffer_, true);
    nest_.add_terms(body.hbm, spec_.nest.load_strides, res_.granule());
    word.step = ring_step(buffer_, true);
    return word;
  }

  isa::Instr wld_word() const {
    isa::Instr word = isa::blank_instr(Op::kWld);
    word.unit = static_cast<uint8_t>(spec_.mxu);
    auto& body = std::get<isa::WldBody>(word.body);
    body.vmem.imm = buffer_.base;
    body.vmem.ring = ring_term(buffer_, false);
    body.row_stride_bytes = pitch_;
    body.k_valid = static_cast<uint32_t>(res_.chip().mxu.rows);
    body.n_valid = static_cast<uint32_t>(res_.chip().mxu.cols);
    return word;
  }

  isa::Instr mm_word() const {
    isa::Instr word = isa::blank_instr(Op::kMm);
    word.unit = static_cast<uint8_t>(spec_.mxu);
    auto& body = std::get<isa::MmBody>(word.body);
    body.vmem.imm = buffer_.base;
    body.vmem.ring = ring_term(buffer_, false);
    body.row_stride_bytes = pitch_;
    body.acc.imm = acc_.base;
    body.rows.imm = static_cast<uint32_t>(rows_);
    body.k_valid = static_cast<uint32_t>(res_.chip().mxu.rows);
    body.n_valid = static_cast<uint32_t>(res_.chip().mxu.cols);
    body.first = true;
    body.switch_plane = true;
    return word;
  }

  /// The last reader in program order: it steps the ring that all three share.
  isa::Instr store_word() const {
    isa::Instr word = dma_word(Op::kSt, 0, store_, res_.hbm_operand(hbm_to_), buffer_.base - store_.vmem_extent.low);
    auto& body = std::get<isa::DmaBody>(word.body);
    body.vmem.ring = ring_term(buffer_, false);
    nest_.add_terms(body.hbm, spec_.nest.store_strides, res_.granule());
    word.step = ring_step(buffer_, false);
    return word;
  }

  isa::Instr vx_word() const {
    const chip::ChipSpec& chip = res_.chip();
    isa::Instr word = isa::blank_instr(Op::kVx);
    auto& body = std::get<isa::VxBody>(word.body);
    body.rows.imm = static_cast<uint32_t>(rows_);
    body.chunks = static_cast<uint32_t>(chip.mxu.cols / chip.vpu.lanes);
    body.cols_valid = static_cast<uint32_t>(chip.mxu.cols);
    body.slots[0].space = static_cast<isa::VxSpace>(static_cast<int>(isa::VxSpace::kAcc0) + spec_.mxu);
    body.slots[0].imm = acc_.base;
    body.slots[0].row_stride = 1;
    body.slots[1].space = isa::VxSpace::kVmem;
    body.slots[1].imm = out_.base;
    body.slots[1].row_stride = chip.mxu.cols * 4;
    body.slots[1].chunk_stride = chip.vpu.lanes * 4;
    return word;
  }

  isa::Instr result_word() const {
    Transfer all = tile_transfer({}, false, out_bytes_, res_.granule());
    return dma_word(Op::kSt, 0, all, res_.hbm_operand(hbm_result_), out_.base);
  }

  Resources& res_;
  const FanOutSpec& spec_;
  Nest nest_;
  int64_t rows_;
  Transfer load_, store_;
  int64_t pitch_ = 0, out_bytes_ = 0;
  Store buffer_, acc_, out_;
  Link to_wld_, to_mm_, to_st_, sums_, result_;
  int64_t hbm_from_ = 0, hbm_to_ = 0, hbm_result_ = 0;
};

}  // namespace

Block lower_flow(Resources& res, const FanOutSpec& spec) {
  if (spec.mxu >= res.chip().mxu.count) {
    res.fail();
    return {};
  }
  return FanOutLowering(res, spec).arrange();
}

}  // namespace lockstep::testgen
