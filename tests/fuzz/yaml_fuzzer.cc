// libFuzzer entry for the strict YAML reader and the chip table: configure with clang and -DLOCKSTEP_FUZZERS=ON, then
//   yaml_fuzzer -max_len=4096 CORPUS tests/diag/chip configs/chips
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "hw/chip/chip_checks.h"
#include "hw/chip/chip_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto chip = lockstep::chip::parse_chip_text(text, "fuzz.yaml");
  // A chip that was accepted must satisfy its own rules.
  if (chip.ok() && !lockstep::chip::check_chip(chip->spec).empty()) std::abort();
  for (const lockstep::Diag& diag : chip.diags()) lockstep::format_diag(diag, text);
  return 0;
}
