#include "compiler/ir/gemm.h"

#include <cctype>
#include <set>

#include <fmt/format.h>

#include "hw/base/printable.h"

namespace lockstep::ir {

namespace {

constexpr size_t kMaxNameLength = 128;
constexpr int64_t kMaxMacs = int64_t{1} << 60;

bool is_name(const std::string& name) {
  if (name.empty() || name.size() > kMaxNameLength) return false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || (!std::isalnum(byte) && c != '_' && c != '.' && c != '-')) return false;
  }
  return true;
}

void check_range(const Gemm& gemm, const char* field, int64_t value, DiagSink& sink) {
  if (value >= 1 && value <= kMaxExtent) return;
  sink.report(error("E1001", gemm.loc,
                    fmt::format("{} of gemm {} must be in [1, {}], got {}", field, quote_text(gemm.name), kMaxExtent, value)));
}

bool product_overflows(const Gemm& gemm) {
  int64_t product = 0;
  return __builtin_mul_overflow(gemm.m, gemm.n, &product) || __builtin_mul_overflow(product, gemm.k, &product) ||
         __builtin_mul_overflow(product, gemm.count, &product) || product > kMaxMacs;
}

}  // namespace

int64_t total_macs(const Gemm& gemm) { return gemm.m * gemm.n * gemm.k * gemm.count; }

int64_t total_macs(const Workload& workload) {
  int64_t sum = 0;
  for (const Gemm& gemm : workload.gemms) sum += total_macs(gemm);
  return sum;
}

void verify(const Gemm& gemm, DiagSink& sink) {
  if (!is_name(gemm.name)) {
    sink.report(error("E1004", gemm.loc,
                      fmt::format("a gemm name must be 1 to {} letters, digits, '_', '.' or '-'", kMaxNameLength)));
  }
  check_range(gemm, "M", gemm.m, sink);
  check_range(gemm, "N", gemm.n, sink);
  check_range(gemm, "count", gemm.count, sink);
  if (gemm.k < 1) {
    sink.report(error("E1001", gemm.loc, fmt::format("K of gemm {} must be at least 1, got {}", quote_text(gemm.name), gemm.k)));
  } else if (gemm.k > kMaxReduction) {
    sink.report(error("E1002", gemm.loc,
                      fmt::format("K of gemm {} must be at most {}, got {}", quote_text(gemm.name), kMaxReduction, gemm.k),
                      {"a longer sum of int8 products can overflow its int32 accumulator"}));
  }
  if (gemm.m >= 1 && gemm.n >= 1 && gemm.k >= 1 && gemm.count >= 1 && product_overflows(gemm)) {
    sink.report(error("E1003", gemm.loc, fmt::format("gemm {} has more than 2^60 multiply-adds", quote_text(gemm.name))));
  }
  if (gemm.input != ElementType::kInt8 || gemm.output != ElementType::kInt32) {
    sink.report(error("E1005", gemm.loc,
                      fmt::format("gemm {} is {} -> {}; only int8 -> int32 is built", quote_text(gemm.name),
                                  type_name(gemm.input), type_name(gemm.output))));
  }
}

void verify(const Workload& workload, DiagSink& sink) {
  if (!is_name(workload.name)) {
    const SourceLoc loc = workload.gemms.empty() ? SourceLoc{} : SourceLoc{workload.gemms.front().loc.file, 0, 0};
    sink.report(error("E1004", loc, fmt::format("a workload name must be 1 to {} letters, digits, '_', '.' or '-'", kMaxNameLength)));
  }
  std::set<std::string> seen;
  int64_t sum = 0;
  for (const Gemm& gemm : workload.gemms) {
    DiagSink own;
    verify(gemm, own);
    sink.append(own);
    if (!seen.insert(gemm.name).second) {
      sink.report(error("E1004", gemm.loc, fmt::format("two gemms are named {}", quote_text(gemm.name))));
    }
    if (own.has_errors()) continue;
    sum += total_macs(gemm);  // at most 2^61: both terms are within the limit
    if (sum > kMaxMacs) {
      sink.report(error("E1003", gemm.loc, "the workload has more than 2^60 multiply-adds"));
      return;
    }
  }
}

const char* type_name(ElementType type) { return type == ElementType::kInt8 ? "int8" : "int32"; }

}  // namespace lockstep::ir
