// lockstep_isa_gen: rewrites the files derived from the ISA tables, in the source tree given.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "hw/isa/doc_tables.h"
#include "hw/isa/sv_package.h"

namespace {

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (out.flush()) return true;
  std::fprintf(stderr, "lockstep_isa_gen: cannot write %s\n", path.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: lockstep_isa_gen SOURCE_DIR\n");
    return 2;
  }
  const std::string root = argv[1];
  std::ifstream in(root + "/docs/isa.md", std::ios::binary);
  std::ostringstream page;
  page << in.rdbuf();
  const bool good = write_file(root + "/rtl/pkg/lk_isa_pkg.sv", lockstep::isa::render_sv_package()) &&
                    write_file(root + "/docs/isa.md", lockstep::isa::fill_generated_parts(page.str()));
  return good ? 0 : 1;
}
