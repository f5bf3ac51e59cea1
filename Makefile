# `make run` and `make test` are all you need; both install what is missing.
# Nothing is installed or compiled again unless its inputs changed: stamp files in
# .venv record when it was done.

PYTHON ?= python3
SECONDS ?= 30
# Tests of what depends on third-party packages: tables, terminals, arrays, files, clusters.
OLDEST := tests/studies tests/cli tests/web tests/series tests/world tests/formats tests/gym tests/render tests/agents/test_agents.py
VENV := .venv
BIN := $(VENV)/bin
PAGE_TOOLS := build/page/node_modules
ZIGLANG := ziglang==0.17.0
WASM := src/mineproof/web/static/kernel/mineproof.wasm
NATIVE := CMakeLists.txt $(shell find native -type f)
CORES = $$(nproc 2> /dev/null || getconf _NPROCESSORS_ONLN)
CXX_WORKS = $$(echo 'int main() {}' | $${CXX:-c++} -std=c++20 -x c++ -o /dev/null - 2>/dev/null && echo 1 || echo 0)

# pip of the environment $(1); its output goes to .venv/logs/$(2).log and is shown if pip fails.
pip = sh tools/quietly $(VENV)/logs/$(2).log $(1)/bin/python -m pip --disable-pip-version-check

.PHONY: help run test test-all test-oldest chaos load check format sanitize fuzz mutate bench stub docs docs-all studies lp dask gym tables postgres pictures web page-tools page-pictures site play dist wasm clean

help:  ## list all targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s  %s\n", $$1, $$2}' Makefile

run: $(VENV)/installed  ## take the tour: a game, a proof, a guess, a tournament (SEED=27, SEED=random)
	@$(BIN)/mineproof demo $(if $(SEED),--seed $(SEED))

test: $(VENV)/dev  ## run all tests, Python and C++
	@$(BIN)/python -m tools.suite

test-all: $(VENV)/dev $(VENV)/torch  ## run all tests, slow ones included, then test-oldest and chaos
	@$(BIN)/python -m tools.suite --all
	@$(MAKE) --no-print-directory test-oldest chaos

# Later versions have fixed what these versions warn about.
test-oldest: build/oldest/installed  ## run tests with the oldest supported versions of all packages
	@build/oldest/bin/python -m pytest -n auto -m "not slow" -W ignore::DeprecationWarning \
	  -W ignore::PendingDeprecationWarning --ignore tests/web/browser $(OLDEST)

chaos: $(VENV)/dev  ## try to break every command for SECONDS=30: kills, full disks, odd files
	@$(BIN)/python -m tools.chaos --seconds $(SECONDS)

load: $(VENV)/dev  ## attack a server while a client uses it, for SECONDS=30 per attack
	@$(BIN)/python -m tools.chaos.server_load --seconds $(SECONDS)

check: $(VENV)/dev  ## check style, formatting, types and wording
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run --Werror $$(find native -name '*.?pp')
	@$(BIN)/mypy
	@$(BIN)/python -m tools.plain_words
	@if test -x $(PAGE_TOOLS)/.bin/tsc; then $(PAGE_TOOLS)/.bin/tsc -p tests/web/browser/tsconfig.json; \
	else echo "types of the web app not checked: run make page-tools first"; fi

format: $(VENV)/dev  ## format all code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $$(find native -name '*.?pp')

sanitize: $(VENV)/tools  ## run the C++ tests with address and undefined-behaviour sanitizers
	@$(call ctest,build/sanitize,-DMINEPROOF_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug)

fuzz: $(VENV)/dev  ## fuzz the C++ kernel and its Python bindings, for SECONDS=30 (SEED=0)
	@$(call ctest,build/sanitize,-DMINEPROOF_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug) > build/fuzz.log 2>&1 || { cat build/fuzz.log; exit 1; }
	@build/sanitize/native/fuzz_kernel $$(( ($(SECONDS) + 1) / 2 )) $${SEED:-0}
	@build/sanitize/native/fuzz_border $$(( ($(SECONDS) + 1) / 2 )) $${SEED:-0}
	@$(BIN)/python -m pytest -q tests/test_border.py

mutate: $(VENV)/dev  ## run mutation tests of the reasoners and the kernel
	@$(BIN)/python -m tools.mutation; PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tools.native_mutation

# Without those that need arguments.
bench: $(VENV)/dev  ## run all benchmarks, one after the other
	@for file in $(filter-out benchmarks/ranking_network.py benchmarks/estimates.py benchmarks/immortal.py,$(wildcard benchmarks/*.py)); do echo "== $$file"; $(BIN)/python $$file || exit 1; done

stub: $(VENV)/installed  ## regenerate src/mineproof/_native.pyi
	@$(BIN)/python -m nanobind.stubgen -q -m mineproof._native -o src/mineproof/_native.pyi

docs: $(VENV)/dev  ## run the commands in README and docs, and update their output
	@$(BIN)/python -m tools.api_page
	@$(BIN)/python -m tools.glossary
	@$(BIN)/python -m tools.agent_list
	@$(BIN)/python -m tools.message_types
	@$(BIN)/python -m tools.kernel_tables
	@$(BIN)/python -m tools.message_tables
	@$(BIN)/python -m tools.figures
	@$(BIN)/python -m tools.drawn_pictures
	@$(BIN)/python -m tools.terminal_film
	@$(BIN)/python -m tools.recorder

docs-all: $(VENV)/dev  ## like make docs, slow commands included
	@$(BIN)/python -m tools.api_page
	@$(BIN)/python -m tools.glossary
	@$(BIN)/python -m tools.agent_list
	@$(BIN)/python -m tools.message_types
	@$(BIN)/python -m tools.kernel_tables
	@$(BIN)/python -m tools.message_tables
	@$(BIN)/python -m tools.figures
	@$(BIN)/python -m tools.drawn_pictures
	@$(BIN)/python -m tools.terminal_film
	@$(BIN)/python -m tools.recorder --all

studies: $(VENV)/with-studies  ## install the packages for studies

lp: $(VENV)/with-lp  ## install the packages for the agent linopt

dask: $(VENV)/with-dask  ## install the packages for studies on a Dask cluster

gym: $(VENV)/with-gym  ## install the packages for the RL environment

tables: $(VENV)/with-tables  ## install the packages for tables of games in pandas or Arrow

pictures: $(VENV)/with-pictures  ## install the packages for reading positions from screenshots

postgres: $(VENV)/with-postgres  ## install the packages for --store postgresql://...

web: $(VENV)/with-web  ## open the web app in your browser (OPTIONS="--port 9000")
	@$(BIN)/mineproof serve $(OPTIONS)

# Checkers for the web app, from npm: accessibility (axe-core) and types. None of them is shipped.
page-tools: $(PAGE_TOOLS)/done  ## install the type and accessibility checkers for the web app (npm)

$(PAGE_TOOLS)/done:
	@command -v npm > /dev/null || { echo "npm is not installed; on Debian: apt-get install npm"; exit 1; }
	@mkdir -p build/page
	@npm install --silent --no-audit --no-fund --prefix build/page axe-core@4 typescript@5
	@touch $@

page-pictures: $(VENV)/dev  ## retake the README's screenshots of the web app (Chromium)
	@$(BIN)/python -m tests.web.browser.pictures docs/images

# The landing page, the documents and the web app without a server.
site: $(VENV)/site $(VENV)/installed  ## build the website from the docs and the web app, in build/site
	@rm -rf build/pages build/site && mkdir -p build/pages
	@cp -R CONTRIBUTING.md CHANGELOG.md LICENSE docs build/pages
	@mv build/pages/docs/site/index.md build/pages/index.md
	@$(MAKE) --no-print-directory play && cp -R build/play build/pages/play
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@! grep -rlE '<(script|link)[^>]*(src|href)="https?:' build/site --include='*.html' \
	  || { echo "these pages load something from the network"; exit 1; }
	@echo "open build/site/index.html in a browser; to play there, serve it: python3 -m http.server -d build/site"

play: $(VENV)/installed wasm  ## build the web app as a folder that needs no server, in build/play
	@$(BIN)/python -m mineproof.web.static_export build/play

dist: $(VENV)/tools $(WASM)  ## build a source archive, and a wheel from it, in dist
	@rm -rf dist && mkdir dist
	@$(BIN)/python -c 'from scikit_build_core.build import build_sdist; build_sdist("dist")' > dist/log 2>&1 || { cat dist/log; exit 1; }
	@rm dist/log
	@echo "building a wheel on $(CORES) cores (a minute or two)"
	@$(call pip,$(VENV),wheel) wheel --verbose --no-deps --no-build-isolation --wheel-dir dist dist/*.tar.gz
	@ls -sh dist

wasm: $(WASM)  ## compile the kernel to WebAssembly, as a part of the page

clean:  ## remove everything that was built or installed
	rm -rf $(VENV) build dist $(WASM)

.PHONY: native-test
native-test: $(VENV)/tools
	@$(call ctest,build/native,)

CORES := $(shell getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)

# Configure, build and run the C++ tests in folder $(1) with flags $(2).
define ctest
export PATH="$(CURDIR)/$(BIN):$$PATH"; mkdir -p build; \
if [ "$(CXX_WORKS)" = 0 ]; then echo "no working C++20 compiler found: skipping the C++ tests"; exit 0; fi; \
echo "building the C++ tests in $(1)"; \
cmake -S . -B $(1) -DMINEPROOF_TESTS=ON -DMINEPROOF_WERROR=ON $(2) > $(1).log 2>&1 \
  && cmake --build $(1) --parallel $${CMAKE_BUILD_PARALLEL_LEVEL:-$(CORES)} >> $(1).log 2>&1 || { cat $(1).log; exit 1; }; \
ctest --test-dir $(1) --output-on-failure --no-tests=error
endef

# The kernel as WebAssembly. ziglang is a C++ compiler with all that WebAssembly needs. Floating-point
# results equal those of the native build.
$(VENV)/zig: $(VENV)/tools
	@echo "installing $(ZIGLANG), which compiles to WebAssembly (100 MB, about 20 s)"
	@$(call pip,$(VENV),zig) install $(ZIGLANG)
	@touch $@

$(WASM): $(VENV)/zig CMakeLists.txt native/CMakeLists.txt $(wildcard native/wasm/* native/src/* native/include/mineproof/*)
	@echo "compiling the kernel to WebAssembly on $(CORES) cores (about a minute)"
	@mkdir -p build && PATH="$(CURDIR)/$(BIN):$$PATH" && export ZIG_GLOBAL_CACHE_DIR="$(CURDIR)/build/zig" \
	  && zig=$$($(BIN)/python -c 'import ziglang; print(ziglang.__path__[0] + "/zig")') \
	  && { cmake -S . -B build/wasm -DCMAKE_TOOLCHAIN_FILE=native/wasm/zig.cmake -DMINEPROOF_ZIG="$$zig" -DMINEPROOF_WERROR=ON \
	  && cmake --build build/wasm --parallel $(CORES); } > build/wasm.log 2>&1 || { cat build/wasm.log; exit 1; }
	@cp build/wasm/mineproof.wasm $@
	@echo "made $@ ($$(wc -c < $@) bytes)"

# The environment with the build tools (cmake and ninja from PyPI if the system has none).
$(VENV)/tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "mineproof needs Python 3.11 or newer: set PYTHON=/path/to/python3"; exit 1; }
	@test -x $(BIN)/python || { echo "1/3 creating $(VENV) (about 5 s)"; \
	  sh tools/quietly $(VENV)/logs/venv.log $(PYTHON) -m venv $(VENV); }
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $(VENV)/build.txt
	@command -v cmake > /dev/null || echo cmake >> $(VENV)/build.txt
	@command -v ninja > /dev/null || echo ninja >> $(VENV)/build.txt
	@echo "2/3 installing the build tools (about 10 s)"
	@$(call pip,$(VENV),tools) install -r $(VENV)/build.txt
	@touch $@

# The package with its compiled part. If there is a working compiler, the native build must
# succeed, so that an error in our C++ code cannot go unnoticed.
$(VENV)/installed: $(VENV)/tools $(NATIVE)
	@require=$${MINEPROOF_REQUIRE_NATIVE:-$(CXX_WORKS)}; \
	if [ "$$require" = 0 ]; then echo "3/3 installing as pure Python, because no working C++20 compiler was found (about 20 s)"; \
	else echo "3/3 compiling the C++ engine on $(CORES) cores (about a minute on two cores)"; fi; \
	MINEPROOF_REQUIRE_NATIVE=$$require MINEPROOF_WERROR=ON \
	  $(call pip,$(VENV),install) install --verbose --no-build-isolation -e .
	@touch $@

$(VENV)/dev: $(VENV)/installed
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["dev"], sep="\n")' > $(VENV)/dev.txt
	@cmp -s $(VENV)/dev.txt $(VENV)/dev-done.txt || { \
	  echo "installing the development tools (a minute or two)"; $(call pip,$(VENV),dev) install -r $(VENV)/dev.txt; }
	@mv $(VENV)/dev.txt $(VENV)/dev-done.txt
	@touch $@

# The package in a separate environment, with the oldest version of every dependency.
build/oldest/installed: $(VENV)/tools $(NATIVE) pyproject.toml tools/oldest.py
	@echo "installing the oldest supported versions (a few minutes)"
	@test -x build/oldest/bin/python || $(PYTHON) -m venv build/oldest
	@$(BIN)/python -m tools.oldest > build/oldest/versions.txt
	@$(call pip,build/oldest,oldest) install -r build/oldest/versions.txt
	@PATH="$(CURDIR)/$(BIN):$$PATH" MINEPROOF_REQUIRE_NATIVE=$(CXX_WORKS) \
	  $(call pip,build/oldest,oldest-install) install --verbose --no-build-isolation --no-deps -e .
	@touch $@

# An extra of pyproject.toml.
$(VENV)/with-%: $(VENV)/installed
	@echo "installing the packages for $* (about 20 s)"
	@$(BIN)/python -c 'import sys, tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"][sys.argv[1]], sep="\n")' $* > $(VENV)/$*.txt
	@$(call pip,$(VENV),$*) install -r $(VENV)/$*.txt
	@touch $@

# Packages for the RL examples. To save gigabytes, point pip at PyTorch's CPU builds first.
$(VENV)/torch: $(VENV)/dev
	@echo "installing PyTorch for the RL examples (a few minutes)"
	@$(call pip,$(VENV),torch) install 'torch==2.13.0' 'sb3-contrib>=2.4' \
	  || echo "PyTorch could not be installed: tests of the RL examples are skipped"
	@touch $@

# The site generator; only `make site` needs it.
$(VENV)/site: $(VENV)/tools
	@echo "installing the site generator (about 20 s)"
	@$(call pip,$(VENV),site) install 'mkdocs>=1.6,<2' 'mkdocs-material>=9.5,<10' 'mdx-truly-sane-lists>=1.3'
	@touch $@
