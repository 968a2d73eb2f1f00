#include "hw/base/units.h"

namespace lockstep {

namespace {

constexpr int64_t kKi = 1024;
constexpr int64_t kMi = kKi * 1024;
constexpr int64_t kGi = kMi * 1024;

}  // namespace

const std::vector<UnitSuffix>& unit_suffixes(Unit unit) {
  static const std::vector<UnitSuffix> kNoSuffix;
  static const std::vector<UnitSuffix> kBytesSuffixes = {{"B", 1, 1}, {"KiB", kKi, 1}, {"MiB", kMi, 1}, {"GiB", kGi, 1}};
  static const std::vector<UnitSuffix> kKiBSuffixes = {{"B", 1, kKi}, {"KiB", 1, 1}, {"MiB", kKi, 1}, {"GiB", kMi, 1}};
  static const std::vector<UnitSuffix> kGiBSuffixes = {{"MiB", 1, kKi}, {"GiB", 1, 1}, {"TiB", kKi, 1}};
  static const std::vector<UnitSuffix> kFrequencySuffixes = {{"kHz", 1, 1000}, {"MHz", 1, 1}, {"GHz", 1000, 1}};
  static const std::vector<UnitSuffix> kRateSuffixes = {{"MB/s", 1, 1000}, {"GB/s", 1, 1}, {"TB/s", 1000, 1}};
  static const std::vector<UnitSuffix> kTimeSuffixes = {{"ps", 1, 1000}, {"ns", 1, 1}, {"us", 1000, 1}};
  switch (unit) {
    case Unit::kNone:
    case Unit::kCycles: return kNoSuffix;
    case Unit::kBytes: return kBytesSuffixes;
    case Unit::kKiB: return kKiBSuffixes;
    case Unit::kGiB: return kGiBSuffixes;
    case Unit::kMHz: return kFrequencySuffixes;
    case Unit::kGBps: return kRateSuffixes;
    case Unit::kNs: return kTimeSuffixes;
  }
  return kNoSuffix;
}

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::kNone: return "";
    case Unit::kCycles: return "cycles";
    case Unit::kBytes: return "bytes";
    case Unit::kKiB: return "KiB";
    case Unit::kGiB: return "GiB";
    case Unit::kMHz: return "MHz";
    case Unit::kGBps: return "GB/s";
    case Unit::kNs: return "ns";
  }
  return "";
}

}  // namespace lockstep
