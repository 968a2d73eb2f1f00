#include "hw/chip/field_table.h"

#include <algorithm>
#include <iterator>

#include "hw/base/printable.h"

// Limits: RTL sizes its queues and windows by fixed maxima (16 words a queue, 256 bursts a queue); on-chip addresses
// have 28 bits (256 MiB of VMEM); HBM addresses have 40 bits (1,024 GiB); DRAM ticks are 1/64 cycle or longer (MEM-3).

namespace lockstep::chip {

namespace {

using Fields = std::vector<Field>;

constexpr IntRange kArraySide{.min = 4, .max = 256, .power_of_two = true};
constexpr IntRange kQueueDepth{.min = 1, .max = 16};
constexpr IntRange kKernelLatency{.min = 1, .max = 64, .unit = Unit::kCycles};
constexpr IntRange kProductsPerPe{.min = 1, .max = 4, .power_of_two = true};

constexpr BuiltOnly kOneProduct{"1", "E0321", "the array multiplies one int8 pair per PE and cycle"};
constexpr BuiltOnly kInt8Only{"1", "E0321", "int8 is the only element type of the array so far"};
constexpr BuiltOnly kOneMxu{"1", "E0323", "the sequencer drives a single matrix unit so far"};
constexpr BuiltOnly kOneChannel{"1", "E0324", "preset ideal is a single channel"};
constexpr std::string_view kCopyKernelOnly = "only the copy kernel is built, which neither computes nor keeps registers";

Fields identity_fields() {
  return {
      {.name = "name",
       .member = TextMember([](ChipSpec& c) -> std::string& { return c.name; }),
       .is_required = true,
       .is_timing_relevant = false,
       .is_sweepable = false,
       .sentence = "Name of the chip in tables, file names and traces."},
      {.name = "clock_MHz",
       .member = IntMember([](ChipSpec& c) -> int& { return c.clock_MHz; }),
       .int_range = {.min = 1, .max = 10000, .unit = Unit::kMHz},
       .is_required = true,
       .sentence = "Core clock. Sets the length of a cycle and how many DRAM bytes arrive in one."},
  };
}

Fields mxu_fields() {
  return {
      {.name = "mxu.count",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.count; }),
       .int_range = {.min = 1, .max = 8},
       .built_only = kOneMxu,
       .sentence = "Matrix units, each with its own weight-load and matmul queue."},
      {.name = "mxu.rows",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.rows; }),
       .int_range = kArraySide,
       .is_required = true,
       .rtl = RtlRole::kBuildParameter,
       .sentence = "R: depth of the array, the k elements of one weight tile."},
      {.name = "mxu.cols",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.cols; }),
       .int_range = kArraySide,
       .is_required = true,
       .rtl = RtlRole::kBuildParameter,
       .sentence = "C: width of the array, the n elements of one weight tile; a multiple of vpu.lanes."},
      {.name = "mxu.weight_load_rows",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.weight_load_rows; }),
       .int_range = {.min = 1, .max = 8, .power_of_two = true},
       .rtl = RtlRole::kBuildParameter,
       .sentence = "b: weight rows written per cycle, and the edge of a block of PEs without pipeline registers; "
                   "divides rows and cols."},
      {.name = "mxu.acc_rows",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.acc_rows; }),
       .int_range = {.min = 8, .max = 65536},
       .is_required = true,
       .rtl = RtlRole::kBuildParameter,
       .sentence = "Accumulator rows, each of cols 32-bit words."},
      {.name = "mxu.acc_latency",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.acc_latency; }),
       .int_range = {.min = 2, .max = 16, .unit = Unit::kCycles},
       .rtl = RtlRole::kBuildParameter,
       .sentence = "La: from a partial sum leaving the array to its sum being readable."},
  };
}

Fields k_per_pe_fields() {
  return {
      {.name = "mxu.k_per_pe.bf16",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.k_per_pe.bf16; }),
       .int_range = kProductsPerPe,
       .built_only = kInt8Only,
       .sentence = "bf16 products per PE and cycle along k."},
      {.name = "mxu.k_per_pe.int8",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.k_per_pe.int8; }),
       .int_range = kProductsPerPe,
       .built_only = kOneProduct,
       .sentence = "int8 products per PE and cycle along k."},
      {.name = "mxu.k_per_pe.fp8",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.k_per_pe.fp8; }),
       .int_range = kProductsPerPe,
       .built_only = kInt8Only,
       .sentence = "fp8 products per PE and cycle along k."},
      {.name = "mxu.k_per_pe.int4",
       .member = IntMember([](ChipSpec& c) -> int& { return c.mxu.k_per_pe.int4; }),
       .int_range = kProductsPerPe,
       .built_only = kInt8Only,
       .sentence = "int4 products per PE and cycle along k."},
  };
}

Fields vpu_fields() {
  return {
      {.name = "vpu.lanes",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.lanes; }),
       .int_range = kArraySide,
       .is_required = true,
       .rtl = RtlRole::kBuildParameter,
       .sentence = "32-bit lanes of the vector unit."},
      {.name = "vpu.rows_per_cycle",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.rows_per_cycle; }),
       .int_range = {.min = 1, .max = 8, .power_of_two = true},
       .rtl = RtlRole::kBuildParameter,
       .sentence = "Rows of a vector register processed per cycle; a bundle issues every 8 / rows_per_cycle cycles."},
      {.name = "vpu.vregs",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.vregs; }),
       .int_range = {.min = 8, .max = 64},
       .built_only = {"32", "E0325", kCopyKernelOnly},
       .sentence = "Vector registers of 8 rows x lanes words."},
  };
}

Fields vpu_slot_fields() {
  return {
      {.name = "vpu.slots",
       .member = SlotModeMember{},
       .sentence = "`single` (one operation per bundle), or a map of slots per bundle with the keys below."},
      {.name = "vpu.slots.load",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.slots.load; }),
       .int_range = {.min = 1, .max = 2},
       .sentence = "Load slots per bundle."},
      {.name = "vpu.slots.alu",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.slots.alu; }),
       .int_range = {.min = 1, .max = 4, .power_of_two = true},
       .sentence = "Add, multiply, compare and select slots per bundle."},
      {.name = "vpu.slots.eup",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.slots.eup; }),
       .int_range = {.min = 1, .max = 1},
       .sentence = "exp2, reciprocal and reciprocal square root slots per bundle."},
      {.name = "vpu.slots.xlu",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.slots.xlu; }),
       .int_range = {.min = 1, .max = 1},
       .sentence = "Cross-lane (row reduction, rotation) slots per bundle."},
      {.name = "vpu.slots.store",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.slots.store; }),
       .int_range = {.min = 1, .max = 1},
       .sentence = "Store slots per bundle."},
  };
}

Fields vpu_latency_fields() {
  return {
      {.name = "vpu.latency.start",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.latency.start; }),
       .int_range = kKernelLatency,
       .rtl = RtlRole::kRunTimeLimit,
       .sentence = "T0: from the issue of a VX to its first bundle."},
      {.name = "vpu.latency.load",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.latency.load; }),
       .int_range = {.min = 2, .max = 64, .unit = Unit::kCycles},
       .rtl = RtlRole::kRunTimeLimit,
       .sentence = "From a load to the first bundle that may use it."},
      {.name = "vpu.latency.alu",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.latency.alu; }),
       .int_range = kKernelLatency,
       .built_only = {"2", "E0325", kCopyKernelOnly},
       .sentence = "From an alu operation to the first bundle that may use it."},
      {.name = "vpu.latency.eup",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.latency.eup; }),
       .int_range = kKernelLatency,
       .built_only = {"6", "E0325", kCopyKernelOnly},
       .sentence = "From an eup operation to the first bundle that may use it."},
      {.name = "vpu.latency.xlu",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.latency.xlu; }),
       .int_range = kKernelLatency,
       .built_only = {"8", "E0325", kCopyKernelOnly},
       .sentence = "From an xlu operation to the first bundle that may use it."},
      {.name = "vpu.latency.store",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vpu.latency.store; }),
       .int_range = kKernelLatency,
       .rtl = RtlRole::kRunTimeLimit,
       .sentence = "From a store to the end of its section."},
  };
}

Fields vmem_fields() {
  return {
      {.name = "vmem.size_KiB",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vmem.size_KiB; }),
       .int_range = {.min = 1, .max = 262144, .unit = Unit::kKiB},
       .is_required = true,
       .rtl = RtlRole::kBuildParameter,
       .sentence = "Capacity of the software-managed scratchpad."},
      {.name = "vmem.read_latency",
       .member = IntMember([](ChipSpec& c) -> int& { return c.vmem.read_latency; }),
       .int_range = {.min = 1, .max = 16, .unit = Unit::kCycles},
       .rtl = RtlRole::kBuildParameter,
       .sentence = "Lv: from a read enable to its data."},
  };
}

Fields dma_fields() {
  return {
      {.name = "dma.load_queues",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dma.load_queues; }),
       .int_range = {.min = 1, .max = 2},
       .rtl = RtlRole::kBuildParameter,
       .sentence = "Independent load queues, LD0 and LD1."},
      {.name = "dma.burst_bytes",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dma.burst_bytes; }),
       .int_range = {.min = 64, .max = 4096, .power_of_two = true, .unit = Unit::kBytes},
       .rtl = RtlRole::kBuildParameter,
       .sentence = "Largest request to DRAM; transfers are cut at its multiples."},
      {.name = "dma.beat_bytes",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dma.beat_bytes; }),
       .int_range = {.min = 8, .max = 4096, .power_of_two = true, .unit = Unit::kBytes},
       .is_required = true,
       .rtl = RtlRole::kBuildParameter,
       .sentence = "Bytes one queue moves between VMEM and the memory port per cycle."},
      {.name = "dma.granule_bytes",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dma.granule_bytes; }),
       .int_range = {.min = 8, .max = 128, .power_of_two = true, .unit = Unit::kBytes},
       .rtl = RtlRole::kBuildParameter,
       .sentence = "Addresses, runs and strides of transfers are multiples of it."},
      {.name = "dma.setup_cycles",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dma.setup_cycles; }),
       .int_range = {.min = 1, .max = 1024, .unit = Unit::kCycles},
       .rtl = RtlRole::kRunTimeLimit,
       .sentence = "From the issue of a transfer to its first request."},
      {.name = "dma.max_outstanding",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dma.max_outstanding; }),
       .int_range = {.min = 1, .max = 256},
       .rtl = RtlRole::kRunTimeLimit,
       .sentence = "Bursts a queue may have in flight."},
      {.name = "dma.quantum",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dma.quantum; }),
       .int_range = {.min = 1, .max = 255},
       .rtl = RtlRole::kRunTimeLimit,
       .sentence = "Bursts a queue may send before another one gets its turn."},
  };
}

Field queue_depth_field(std::string_view name, IntMember member, std::string_view sentence) {
  return {.name = name,
          .member = member,
          .int_range = kQueueDepth,
          .rtl = RtlRole::kRunTimeLimit,
          .sentence = sentence};
}

Fields queue_depth_fields() {
  return {
      queue_depth_field("queue_depth.ld", [](ChipSpec& c) -> int& { return c.queue_depth.ld; },
                        "Words waiting in each load queue."),
      queue_depth_field("queue_depth.st", [](ChipSpec& c) -> int& { return c.queue_depth.st; },
                        "Words waiting in the store queue."),
      queue_depth_field("queue_depth.wld", [](ChipSpec& c) -> int& { return c.queue_depth.wld; },
                        "Words waiting in the weight-load queue."),
      queue_depth_field("queue_depth.mm", [](ChipSpec& c) -> int& { return c.queue_depth.mm; },
                        "Words waiting in the matmul queue."),
      queue_depth_field("queue_depth.vx", [](ChipSpec& c) -> int& { return c.queue_depth.vx; },
                        "Words waiting in the vector queue."),
  };
}

Fields sequencer_fields() {
  return {
      {.name = "smem_words",
       .member = IntMember([](ChipSpec& c) -> int& { return c.smem_words; }),
       .int_range = {.min = 1, .max = 1048576},
       .built_only = {"65536", "E0325", "programs with scalar tables are not built"},
       .sentence = "32-bit words of the scalar table memory."},
      {.name = "imem_words",
       .member = IntMember([](ChipSpec& c) -> int& { return c.imem_words; }),
       .int_range = {.min = 16, .max = 65536},
       .rtl = RtlRole::kBuildParameter,
       .sentence = "Instruction words a program may have."},
  };
}

Fields dram_fields() {
  return {
      {.name = "dram.preset",
       .member = TextMember([](ChipSpec& c) -> std::string& { return c.dram.preset; }),
       .choices = {"ideal", "hbm2", "hbm2e"},
       .built_only = {"ideal", "E0322", "banks, rows and refresh are not modelled yet"},
       .sentence = "DRAM timing: `ideal` is one channel with a latency and a rate."},
      {.name = "dram.bandwidth_GBps",
       .member = RealMember([](ChipSpec& c) -> double& { return c.dram.bandwidth_GBps; }),
       .real_range = {.min = 0.01, .max = 100000, .unit = Unit::kGBps},
       .is_required = true,
       .sentence = "Peak rate of the channel, in 1e9 bytes per second."},
      {.name = "dram.latency_ns",
       .member = RealMember([](ChipSpec& c) -> double& { return c.dram.latency_ns; }),
       .real_range = {.min = 0, .max = 10000, .unit = Unit::kNs},
       .is_required = true,
       .sentence = "From a column command to its first data."},
      {.name = "dram.access_bytes",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dram.access_bytes; }),
       .int_range = {.min = 8, .max = 1024, .power_of_two = true, .unit = Unit::kBytes},
       .sentence = "Bytes of one column access; a shorter or unaligned burst still pays for whole accesses."},
      {.name = "dram.channels",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dram.channels; }),
       .int_range = {.min = 1, .max = 8},
       .built_only = kOneChannel,
       .sentence = "Logical channels."},
      {.name = "dram.gang",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dram.gang; }),
       .int_range = {.min = 1, .max = 16},
       .built_only = kOneChannel,
       .sentence = "Pseudo-channels that run in lockstep as one logical channel."},
      {.name = "dram.command_slots",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dram.command_slots; }),
       .int_range = {.min = 1, .max = 64},
       .sentence = "Bursts a channel may hold between their grant and their last column command."},
      {.name = "dram.size_GiB",
       .member = RealMember([](ChipSpec& c) -> double& { return c.dram.size_GiB; }),
       .real_range = {.min = 0, .max = 1024, .min_excluded = true, .unit = Unit::kGiB},
       .is_required = true,
       .is_timing_relevant = false,
       .sentence = "Capacity; a workload whose tensors do not fit is infeasible."},
      {.name = "dram.ticks",
       .member = IntMember([](ChipSpec& c) -> int& { return c.dram.ticks; }),
       .int_range = {.min = 0, .max = 64},
       .sentence = "D: DRAM ticks per core cycle; 0 chooses the smallest that represents the rate within 0.1 %."},
  };
}

Fields system_fields() {
  return {
      {.name = "host.launch_cycles",
       .member = IntMember([](ChipSpec& c) -> int& { return c.host.launch_cycles; }),
       .int_range = {.min = 0, .max = 1000000000, .unit = Unit::kCycles},
       .built_only = {"0", "E0325", "every run is a single launch so far"},
       .sentence = "Cost of starting one program from the host."},
      {.name = "technology",
       .member = TextMember([](ChipSpec& c) -> std::string& { return c.technology; }),
       .is_timing_relevant = false,
       .sentence = "Technology of the area and energy figures: a file of configs/technology without its suffix."},
  };
}

std::string_view parent_of(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

}  // namespace

const std::vector<Field>& chip_fields() {
  static const Fields kFields = [] {
    Fields all;
    for (Fields (*group)() : {identity_fields, mxu_fields, k_per_pe_fields, vpu_fields, vpu_slot_fields,
                              vpu_latency_fields, vmem_fields, dma_fields, queue_depth_fields, sequencer_fields,
                              dram_fields, system_fields}) {
      Fields fields = group();
      std::move(fields.begin(), fields.end(), std::back_inserter(all));
    }
    return all;
  }();
  return kFields;
}

const Field* find_field(std::string_view name) {
  const Fields& fields = chip_fields();
  const auto found = std::find_if(fields.begin(), fields.end(), [name](const Field& f) { return f.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const Field& field : chip_fields()) names.emplace_back(field.name);
  return names;
}

std::vector<std::string> keys_below(std::string_view group) {
  std::vector<std::string> keys;
  for (const Field& field : chip_fields()) {
    // Climb from the field to the key directly below `group`; "" is below nothing.
    for (std::string_view key = field.name; !key.empty(); key = parent_of(key)) {
      if (parent_of(key) == group && (keys.empty() || std::find(keys.begin(), keys.end(), key) == keys.end())) {
        keys.emplace_back(key);
      }
    }
  }
  return keys;
}

std::string describe_rule(const Field& field) {
  if (std::holds_alternative<IntMember>(field.member)) return describe_range(field.int_range);
  if (std::holds_alternative<RealMember>(field.member)) return describe_range(field.real_range);
  if (std::holds_alternative<SlotModeMember>(field.member)) return "`single` or a map";
  return field.choices.empty() ? "an identifier" : join_choices(field.choices);
}

}  // namespace lockstep::chip
