# run    the web app in the browser (without a terminal: start it, ask it for its page, and end)
# test   run every test
# bench  the rates and signatures of this machine
# python  the wheel of the Python package and its sources, in target/wheels
# web-app  the app without a server, in target/web-app/app (needs Node.js)
# npm    the package for JavaScript, in target/npm (needs Node.js)
# package  a Debian package, installed here and tried (as root)
# publish-check  whether a registry would take the crates of the library (they are built once more)
# site   the documentation as a site with search and live boards, with the app in app/, in target/site/book (needs Python 3)
# bless  take what the program prints now as what the tests expect; look at the difference before you commit

CARGO ?= cargo
PYTHON ?= python3
PAPAMU = target/release/papamu
# Built sooner: without PNG and PostgreSQL, and not optimised across crates (`[profile.quick]`).
QUICK = target/quick/papamu

# A page that was not finished is not taken for one that is current.
.DELETE_ON_ERROR:

VENV = target/venv

.PHONY: run test test-crates test-app test-programs test-needs loom lint bench python python-sdist python-test python-env package site web-app web-app-test npm publish-check bless build setup postgres ui chromium

run: setup ui
	@$(CARGO) build --profile quick --package papamu-cli --no-default-features
	@if [ -t 0 ] && [ -t 1 ]; then $(QUICK) serve --open; else $(QUICK) serve --port 0 --check && echo "In a terminal, make run opens it."; fi

# One failure does not hide others. Pages and crates are tested at the same time, since each alone leaves a core idle at times.
test: setup
	@$(MAKE) --no-print-directory --jobs 2 test-programs test-needs
	@$(MAKE) --no-print-directory --jobs 2 --keep-going test-crates test-app; status=$$?; \
	cat target/test-app.log; exit $$status

# Programs of `examples` are built by `make lint`. Cargo would ask this make for a place to run in, and has no way to.
test-crates:
	@unset MAKEFLAGS MFLAGS; status=0; \
	$(CARGO) test --workspace --tests --no-fail-fast || status=1; \
	$(CARGO) test --workspace --doc --no-fail-fast || status=1; \
	exit $$status

# It says what happened when the crates are done.
test-app:
	@mkdir -p target; exec >target/test-app.log 2>&1; cd ui; status=0; \
	npm run check && npm test || status=1; \
	if [ -n "$(CHROMIUM)" ] || command -v chromium >/dev/null; then npm run e2e || status=1; fi; \
	exit $$status

# Packages are fetched and unpacked while the compiler works.
test-programs: loom ui
	$(CARGO) test --workspace --tests --no-run

test-needs:
	@$(MAKE) --no-print-directory postgres chromium python-env

# The publication of nodes in the shared tree, with every order of events (a few seconds once it is built).
loom: setup
	$(CARGO) test --package papamu-search --features loom --lib publication

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) clippy --package papamu-search --features loom --lib --tests -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps

# The wheel for every Python from 3.9 on, with the searches as `make run` builds them.
python: python-sdist
	$(VENV)/bin/maturin build --locked --manifest-path crates/python/Cargo.toml --out target/wheels

# The sources, from which `pip install` builds a wheel where Rust is.
python-sdist: setup python-env
	@[ -x $(VENV)/bin/maturin ] || { echo "the wheel needs Python 3.9 or newer with venv (apt-get install python3-venv), then run make again" >&2; exit 1; }
	$(VENV)/bin/maturin sdist --manifest-path crates/python/Cargo.toml --out target/wheels

# The tests of the Python package alone; `make test` runs them too.
python-test: setup python-env
	$(CARGO) test --package papamu-python

# What the tests of the Python package need. Without Python they are skipped, and say so.
python-env:
	@if cmp -s crates/python/requirements.txt $(VENV)/installed.txt; then :; \
	elif command -v $(PYTHON) >/dev/null && $(PYTHON) -m venv $(VENV) && \
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement crates/python/requirements.txt; then \
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: open_spiel || \
	echo "the tests of the adapter to OpenSpiel are skipped: there is no open_spiel for this Python" >&2; \
	cp crates/python/requirements.txt $(VENV)/installed.txt; \
	else echo "the tests of the Python package are skipped: they need Python 3.9 or newer with venv (apt-get install python3-venv), and packages from an index" >&2; fi

bench: build
	$(PAPAMU) bench havannah --size 5
	$(PAPAMU) bench havannah --size 10
	$(PAPAMU) bench konane --setup centre

# The package is installed, asked for its page as a browser would, and removed.
package: build
	@command -v cargo-deb >/dev/null || $(CARGO) install --locked cargo-deb
	@mkdir -p target/packages/completions
	@for shell in bash fish zsh; do $(PAPAMU) completions $$shell >target/packages/completions/papamu.$$shell; done
	$(CARGO) deb --no-build --package papamu-cli
	dpkg --install target/debian/papamu_*.deb
	cd / && /usr/bin/papamu --version && /usr/bin/papamu serve --port 0 --check; status=$$?; dpkg --remove papamu; exit $$status

publish-check: setup
	$(CARGO) publish --dry-run $$($(CARGO) tree --package papamu --edges normal --prefix none | sed -n 's/^\(papamu[a-z-]*\) .*/--package \1/p' | sort -u)

site: setup ui/node_modules/.package-lock.json
	packaging/site --api --app

# Where Rust's target for WebAssembly cannot be had, it says so.
web-app: setup ui/node_modules/.package-lock.json
	packaging/web-app

# The moves of the program in WebAssembly against those of the native one, and the app in a browser.
web-app-test: web-app chromium
	$(CARGO) test --package papamu-wasm
	node crates/wasm/tests/moves.mjs
	@if [ -d target/web-app/threads ]; then node crates/wasm/tests/moves.mjs threads && node crates/wasm/tests/threads.mjs; \
	else echo "the tests of the program with threads are skipped: it was not built" >&2; fi
	cd ui && npm run e2e -- alone threads

npm: setup ui/node_modules/.package-lock.json
	packaging/npm

bless: setup
	BLESS=1 TRYCMD=overwrite $(CARGO) test --workspace
	@$(MAKE) ui

build: setup ui
	@$(CARGO) build --release --package papamu-cli

setup:
	@command -v $(CARGO) >/dev/null || { echo "papamu needs Rust: install it from https://rustup.rs, then run make again" >&2; exit 1; }

# The tests of the arena start a PostgreSQL of their own from the distribution's packages.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update && apt-get install -y postgresql; \
	else echo "some tests of the arena are skipped: install PostgreSQL (apt-get install postgresql)" >&2; fi

# The browser app, which becomes part of the program.
ui: ui/dist/index.html

ui/dist/index.html: ui/node_modules/.package-lock.json ui/openapi.json ui/answers.json ui/index.html $(wildcard ui/*.ts ui/*.js) $(shell find ui/src ui/public -type f ! -name schema.gen.ts)
	cd ui && npm run build

ui/node_modules/.package-lock.json: ui/package-lock.json
	@command -v npm >/dev/null || { echo "the web app needs Node.js 20 or newer with npm (https://nodejs.org, or apt-get install nodejs npm), then run make again" >&2; exit 1; }
	cd ui && npm ci && touch node_modules/.package-lock.json

# The tests of the web app look at it in a real browser from the distribution's packages.
chromium:
	@[ -n "$(CHROMIUM)" ] || command -v chromium >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update && apt-get install -y chromium; \
	else echo "the tests of the web app in a browser are skipped: install Chromium (apt-get install chromium), or name one with CHROMIUM=" >&2; fi
