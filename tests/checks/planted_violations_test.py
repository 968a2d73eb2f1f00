#!/usr/bin/env python3
"""check_layers and check_style pass on the product and fail, naming the place, on each planted violation."""
import os
import subprocess
import sys
import tempfile

SOURCE_DIR = sys.argv[1]
LONG_FUNCTION = "void f() {\n" + "  g();\n" * 70 + "}\n"

# script, file to plant, its text, what the script must print
PLANTED = [
    ("check_layers", "hw/base/a.h", '#include "hw/chip/chip_spec.h"\n', "hw/base/a.h:1: hw/base may not include hw/chip"),
    ("check_layers", "hw/timing/a.cc", '\n#include "hw/sysc/protocol.h"\n', "hw/timing/a.cc:2: hw/timing may not include hw/sysc"),
    ("check_layers", "hw/sysc/a.cc", '#include "hw/timing/model.h"\n', "hw/sysc may not include hw/timing"),
    ("check_layers", "compiler/passes/a.cc", '#include "hw/golden/golden.h"\n', "compiler/passes may not include hw/golden"),
    ("check_layers", "sweep/runner/a.cc", '#include "hw/timing/model.h"\n', "sweep/runner may not include hw/timing"),
    ("check_layers", "hw/isa/a.cc", '#include "tests/property/gen.h"\n', "nothing includes tests"),
    ("check_layers", "hw/chip/a.cc", "#include <yaml-cpp/yaml.h>\n", "only hw/base may include <yaml-cpp/yaml.h>"),
    ("check_layers", "sweep/cli/a.cc", "#include <systemc>\n", "only hw/sysc may include <systemc>"),
    ("check_layers", "hw/mem/a.cc", '#include "dram.h"\n', "is not relative to the root"),
    ("check_layers", "hw/timing/a.cc", "#include <hw/sysc/protocol.h>\n", "included with quotes"),
    ("check_layers", "hw/base/a.h", '/* x */ #include "hw/isa/engine.h"\n', "hw/base may not include hw/isa"),
    ("check_layers", "hw/chip/a.hpp", '#include "sweep/space/space.h"\n', "hw/chip may not include sweep/space"),
    ("check_style", "hw/base/utils.h", "int x;\n", "a file may not be called 'utils'"),
    ("check_style", "hw/base/a.cc", "int x;\n" * 601, "601 lines, the limit is 600"),
    ("check_style", "hw/base/a.h", "int x;\n" * 201, "201 lines, the limit is 200"),
    ("check_style", "hw/base/a.cc", LONG_FUNCTION, "hw/base/a.cc:1: function of 72 lines"),
    ("check_style", "hw/base/CMakeLists.txt", "file(GLOB all *.cc)\n", "sources are listed, not globbed"),
    ("check_style", "hw/base/a.cc", "int\tx;\n", "hw/base/a.cc:1: tab"),
    ("check_style", "hw/base/a.cc", "int x;  \n", "trailing blanks"),
]
CYCLE = {"hw/isa/a.h": '#include "hw/metrics/b.h"\n', "hw/metrics/b.h": '#include "hw/isa/a.h"\n'}


def run(script, root):
    done = subprocess.run([os.path.join(SOURCE_DIR, "scripts", script), root], capture_output=True, text=True)
    return done.returncode, done.stdout


def plant(root, path, text):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as out:
        out.write(text)


def main():
    failures = 0

    def expect(condition, what):
        nonlocal failures
        failures += not condition
        print(("ok   " if condition else "FAIL ") + what)

    for script in ("check_layers", "check_style"):
        code, out = run(script, SOURCE_DIR)
        expect(code == 0, f"{script} passes on the product {out}")
    for script, path, text, message in PLANTED:
        with tempfile.TemporaryDirectory() as root:
            plant(root, path, text)
            code, out = run(script, root)
            expect(code == 1 and message in out, f"{script}: {message!r}, printed {out[:200]!r}")
    with tempfile.TemporaryDirectory() as root:
        for path, text in CYCLE.items():
            plant(root, path, text)
        code, out = run("check_layers", root)
        expect(code == 1 and "include cycle" in out, f"check_layers: include cycle, printed {out!r}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
