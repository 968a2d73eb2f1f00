// lockstep_isa_gen: rewrites the files derived from the ISA tables, in the source tree given.
#include <cstdio>
#include <fstream>
#include <string>

#include "hw/isa/sv_package.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: lockstep_isa_gen SOURCE_DIR\n");
    return 2;
  }
  const std::string path = std::string(argv[1]) + "/rtl/pkg/lk_isa_pkg.sv";
  std::ofstream out(path, std::ios::binary);
  out << lockstep::isa::render_sv_package();
  if (!out.flush()) {
    std::fprintf(stderr, "lockstep_isa_gen: cannot write %s\n", path.c_str());
    return 1;
  }
  return 0;
}
