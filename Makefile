# `make run` and `make test` are all that is needed; both set up what they need.
# Nothing is installed or compiled again unless its inputs changed: stamps in
# .venv tell when it was.

PYTHON ?= python3
SECONDS ?= 30
# What depends on other people's packages: tables, terminals, arrays, files, clusters.
OLDEST := tests/studies tests/cli tests/web tests/series tests/world tests/formats tests/gym tests/render tests/agents/test_agents.py
VENV := .venv
BIN := $(VENV)/bin
PAGE_TOOLS := build/page/node_modules
NATIVE := CMakeLists.txt $(shell find native -type f)
CORES = $$(nproc 2> /dev/null || getconf _NPROCESSORS_ONLN)
CXX_WORKS = $$(echo 'int main() {}' | $${CXX:-c++} -std=c++20 -x c++ -o /dev/null - 2>/dev/null && echo 1 || echo 0)

# pip of the environment $(1); what it prints goes to .venv/logs/$(2).log, and is shown if it fails.
pip = sh tools/quietly $(VENV)/logs/$(2).log $(1)/bin/python -m pip --disable-pip-version-check

.PHONY: help run test test-all test-oldest chaos load check format sanitize fuzz mutate bench stub docs docs-all studies lp dask gym tables postgres pictures web page-tools page-pictures site play dist wasm wasm-tools wasm-packages clean

help:  ## show what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

run: $(VENV)/installed  ## take the tour: a game, a proof, a guess, a tournament (SEED=27, SEED=random)
	@$(BIN)/mineproof demo $(if $(SEED),--seed $(SEED))

test: $(VENV)/dev  ## the whole suite, Python and C++
	@$(BIN)/python -m tests.suite

test-all: $(VENV)/dev $(VENV)/learners  ## the suite with its long tests, then with the oldest versions
	@$(BIN)/python -m tests.suite --all
	@$(MAKE) --no-print-directory test-oldest chaos

# What these versions warn of has been mended in later ones.
test-oldest: build/oldest/installed  ## the tests with the oldest versions that pyproject.toml admits
	@build/oldest/bin/python -m pytest -n auto -m "not slow" -W ignore::DeprecationWarning \
	  -W ignore::PendingDeprecationWarning --ignore tests/web/browser $(OLDEST)

chaos: $(VENV)/dev  ## kill, corrupt, fill up and feed odd files to every command, for SECONDS=30
	@$(BIN)/python -m tests.chaos --seconds $(SECONDS)

load: $(VENV)/dev  ## attack a server while an honest client asks it for odds, for SECONDS=30 each
	@$(BIN)/python -m tests.chaos.server_load --seconds $(SECONDS)

check: $(VENV)/dev  ## lint, formats, types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run --Werror $$(find native -name '*.?pp')
	@$(BIN)/mypy
	@if test -x $(PAGE_TOOLS)/.bin/tsc; then $(PAGE_TOOLS)/.bin/tsc -p tests/web/browser/tsconfig.json; \
	else echo "the page's types are left out: make page-tools fetches what checks them"; fi

format: $(VENV)/dev  ## bring everything into its format
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $$(find native -name '*.?pp')

sanitize: $(VENV)/tools  ## the C++ tests under address and undefined-behaviour sanitizers
	@$(call ctest,build/sanitize,-DMINEPROOF_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug)

fuzz: $(VENV)/dev  ## feed kernel and border any input whatever, for SECONDS=30 (SEED=0)
	@$(call ctest,build/sanitize,-DMINEPROOF_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug) > build/fuzz.log 2>&1 || { cat build/fuzz.log; exit 1; }
	@build/sanitize/native/fuzz_kernel $$(( ($(SECONDS) + 1) / 2 )) $${SEED:-0}
	@build/sanitize/native/fuzz_border $$(( ($(SECONDS) + 1) / 2 )) $${SEED:-0}
	@$(BIN)/python -m pytest -q tests/test_border.py

mutate: $(VENV)/dev  ## change the reasoners and the kernel, a little at a time, and see what stays green
	@$(BIN)/python -m tests.mutation; PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.native_mutation

# Some have to be told what to do.
bench: $(VENV)/dev  ## the benchmarks, one after the other
	@for file in $(filter-out benchmarks/appraisal.py benchmarks/estimates.py benchmarks/immortal.py,$(wildcard benchmarks/*.py)); do echo "== $$file"; $(BIN)/python $$file || exit 1; done

stub: $(VENV)/installed  ## write src/mineproof/_native.pyi anew
	@$(BIN)/python -m nanobind.stubgen -q -m mineproof._native -o src/mineproof/_native.pyi

docs: $(VENV)/dev  ## run what README and docs show, and write stale output anew
	@$(BIN)/python -m tests.api_page
	@$(BIN)/python -m tests.figures
	@$(BIN)/python -m tests.terminal_film
	@$(BIN)/python -m tests.recorder

docs-all: $(VENV)/dev  ## the same with what takes long
	@$(BIN)/python -m tests.api_page
	@$(BIN)/python -m tests.figures
	@$(BIN)/python -m tests.terminal_film
	@$(BIN)/python -m tests.recorder --all

studies: $(VENV)/with-studies  ## install what `mineproof study` needs besides

lp: $(VENV)/with-lp  ## install what the agent linopt needs besides

dask: $(VENV)/with-dask  ## install what studies on a cluster need besides

gym: $(VENV)/with-gym  ## install what the environment for learners needs besides

tables: $(VENV)/with-tables  ## install what tables of games as pandas or Arrow need besides

pictures: $(VENV)/with-pictures  ## install what positions from pictures of a screen need besides

postgres: $(VENV)/with-postgres  ## install what `mineproof serve --store postgresql://...` needs besides

web: $(VENV)/with-web  ## open the page: play, look inside, learn (OPTIONS="--port 9000")
	@$(BIN)/mineproof serve $(OPTIONS)

# What checks the page, from npm: accessibility (axe-core) and types. Nothing of it is shipped.
page-tools: $(PAGE_TOOLS)/done  ## fetch what checks the page's types and accessibility (npm)

$(PAGE_TOOLS)/done:
	@command -v npm > /dev/null || { echo "no npm here; on Debian: apt-get install npm"; exit 1; }
	@mkdir -p build/page
	@npm install --silent --no-audit --no-fund --prefix build/page axe-core@4 typescript@5
	@touch $@

page-pictures: $(VENV)/dev  ## take README's pictures of the page again (chromium)
	@$(BIN)/python -m tests.web.browser.pictures docs/images

# The page plays in it without a server, where the kernel can be built for it.
site: $(VENV)/site $(VENV)/installed  ## README, docs and the page as a folder for any static host, in build/site
	@rm -rf build/pages build/site && mkdir -p build/pages
	@cp -R README.md CONTRIBUTING.md CHANGELOG.md LICENSE docs build/pages
	@if $(MAKE) --no-print-directory --silent wasm-tools; then \
	  $(MAKE) --no-print-directory play && cp -R build/play build/pages/play \
	  && sed -i '1a \\n**[Play it here](play/index.html)**: in the browser, no server, nothing to install.' build/pages/README.md; \
	else echo "the page is left out of the site"; fi
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@! grep -rlE '<(script|link)[^>]*(src|href)="https?:' build/site --include='*.html' \
	  || { echo "these pages would fetch something from the network"; exit 1; }
	@echo "open build/site/index.html"

play: $(VENV)/installed wasm  ## the page as a folder that needs no server: build/play
	@$(BIN)/python -m mineproof.web.folder build/wasm/mineproof.wasm build/play

dist: $(VENV)/tools  ## a source archive and a wheel that is built from it, in dist
	@rm -rf dist && mkdir dist
	@$(BIN)/python -c 'from scikit_build_core.build import build_sdist; build_sdist("dist")' > dist/log 2>&1 || { cat dist/log; exit 1; }
	@rm dist/log
	@echo "building a wheel on $(CORES) cores (a minute or two)"
	@$(call pip,$(VENV),wheel) wheel --verbose --no-deps --no-build-isolation --wheel-dir dist dist/*.tar.gz
	@ls -sh dist

wasm: wasm-tools  ## the kernel as WebAssembly: build/wasm/mineproof.wasm
	@$(MAKE) --no-print-directory build/wasm/mineproof.wasm

clean:  ## remove what was built and installed
	rm -rf $(VENV) build dist

.PHONY: native-test
native-test: $(VENV)/tools
	@$(call ctest,build/native,)

CORES := $(shell getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)

# Configure, build and run the C++ tests in folder $(1) with flags $(2).
define ctest
export PATH="$(CURDIR)/$(BIN):$$PATH"; mkdir -p build; \
if [ "$(CXX_WORKS)" = 0 ]; then echo "no C++20 compiler works here: the C++ tests are left out"; exit 0; fi; \
echo "building the C++ tests in $(1)"; \
cmake -S . -B $(1) -DMINEPROOF_TESTS=ON -DMINEPROOF_WERROR=ON $(2) > $(1).log 2>&1 \
  && cmake --build $(1) --parallel $${CMAKE_BUILD_PARALLEL_LEVEL:-$(CORES)} >> $(1).log 2>&1 || { cat $(1).log; exit 1; }; \
ctest --test-dir $(1) --output-on-failure --no-tests=error
endef

# WebAssembly, with the tools of Debian 12. Doubles come out as from the native build.
WASM_CXX ?= clang++-14
WASM_PACKAGES := clang-14 lld-14 wasi-libc libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 libclang-rt-14-dev-wasm32
WASM_FLAGS := --target=wasm32-wasi -msimd128 -std=c++20 -O2 -fno-exceptions \
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Werror
WASM_SOURCES := $(wildcard native/wasm/*.cpp native/src/*.cpp)
WASM_OBJECTS := $(patsubst native/%.cpp,build/wasm/%.o,$(WASM_SOURCES))

wasm-packages:
	@echo $(WASM_PACKAGES)

wasm-tools:
	@printf '#include <vector>\nint main() { return int(std::vector<int>(1).size()) - 1; }\n' \
	  | $(WASM_CXX) --target=wasm32-wasi -std=c++20 -fno-exceptions -x c++ -o /dev/null - 2> /dev/null \
	  || { missing=; for each in $(WASM_PACKAGES); do \
	         dpkg-query -W -f '$${Status}' $$each 2> /dev/null | grep -q 'ok installed' || missing="$$missing $$each"; done; \
	       echo "$(WASM_CXX) does not build WebAssembly here; on Debian: apt-get install$$missing"; exit 1; }

build/wasm/%.o: native/%.cpp $(wildcard native/include/mineproof/*.hpp native/src/*.inc native/wasm/*.hpp)
	@mkdir -p $(@D)
	@$(WASM_CXX) $(WASM_FLAGS) -Inative/include -c $< -o $@

build/wasm/mineproof.wasm: $(WASM_OBJECTS)
	@$(WASM_CXX) $(WASM_FLAGS) -mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections -Wl,-z,stack-size=4194304 $^ -o $@
	@echo "made $@ ($$(wc -c < $@) bytes)"

# The environment, with what builds the package (cmake from PyPI if there is none).
$(VENV)/tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "mineproof needs Python 3.11 or newer; set PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || { echo "1/3 creating $(VENV) (about 5 s)"; \
	  sh tools/quietly $(VENV)/logs/venv.log $(PYTHON) -m venv $(VENV); }
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $(VENV)/build.txt
	@command -v cmake > /dev/null || echo cmake >> $(VENV)/build.txt
	@command -v ninja > /dev/null || echo ninja >> $(VENV)/build.txt
	@echo "2/3 installing what builds the package (about 10 s)"
	@$(call pip,$(VENV),tools) install -r $(VENV)/build.txt
	@touch $@

# The package with its compiled part. Where a compiler works the native build is
# required, so that an error in our own C++ cannot hide.
$(VENV)/installed: $(VENV)/tools $(NATIVE)
	@require=$${MINEPROOF_REQUIRE_NATIVE:-$(CXX_WORKS)}; \
	if [ "$$require" = 0 ]; then echo "3/3 installing as pure Python: no C++20 compiler works here (about 20 s)"; \
	else echo "3/3 compiling the C++ engine on $(CORES) cores (about a minute on two)"; fi; \
	MINEPROOF_REQUIRE_NATIVE=$$require MINEPROOF_WERROR=ON \
	  $(call pip,$(VENV),install) install --verbose --no-build-isolation -e .
	@touch $@

$(VENV)/dev: $(VENV)/installed
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["dev"], sep="\n")' > $(VENV)/dev.txt
	@cmp -s $(VENV)/dev.txt $(VENV)/dev-done.txt || { \
	  echo "installing what development needs (a minute or two)"; $(call pip,$(VENV),dev) install -r $(VENV)/dev.txt; }
	@mv $(VENV)/dev.txt $(VENV)/dev-done.txt
	@touch $@

# The package in an environment of its own, with the lowest version of all that it needs.
build/oldest/installed: $(VENV)/tools $(NATIVE) pyproject.toml tests/oldest.py
	@echo "installing the oldest versions (some minutes)"
	@test -x build/oldest/bin/python || $(PYTHON) -m venv build/oldest
	@$(BIN)/python -m tests.oldest > build/oldest/versions.txt
	@$(call pip,build/oldest,oldest) install -r build/oldest/versions.txt
	@PATH="$(CURDIR)/$(BIN):$$PATH" MINEPROOF_REQUIRE_NATIVE=$(CXX_WORKS) \
	  $(call pip,build/oldest,oldest-install) install --verbose --no-build-isolation --no-deps -e .
	@touch $@

# An extra of pyproject.toml.
$(VENV)/with-%: $(VENV)/installed
	@echo "installing what $* needs (about 20 s)"
	@$(BIN)/python -c 'import sys, tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"][sys.argv[1]], sep="\n")' $* > $(VENV)/$*.txt
	@$(call pip,$(VENV),$*) install -r $(VENV)/$*.txt
	@touch $@

# What the examples of learners need. Point pip at PyTorch's CPU builds first if gigabytes matter.
$(VENV)/learners: $(VENV)/dev
	@echo "installing PyTorch, for the examples that learn (some minutes)"
	@$(call pip,$(VENV),learners) install 'torch==2.13.0' 'sb3-contrib>=2.4' \
	  || echo "PyTorch could not be installed: the tests of the examples that learn are left out"
	@touch $@

# What makes pages out of docs; nothing else needs it.
$(VENV)/site: $(VENV)/tools
	@echo "installing what makes the site (about 20 s)"
	@$(call pip,$(VENV),site) install 'mkdocs>=1.6,<2' 'mkdocs-material>=9.5,<10' 'mdx-truly-sane-lists>=1.3'
	@touch $@
