# run    the web app in the browser (without a terminal: start it, ask it for its page, and end)
# test   run every test
# bench  the rates and signatures of this machine
# package  a Debian package, installed here and tried (as root)
# bless  take what the program prints now as what the tests expect; look at the difference before you commit

CARGO ?= cargo
PAPAMU = target/release/papamu
# Built sooner: without PNG and PostgreSQL, and not optimised across crates (`[profile.quick]`).
QUICK = target/quick/papamu

# A page that was not finished is not taken for one that is current.
.DELETE_ON_ERROR:

.PHONY: run test loom lint bench package bless build setup postgres ui chromium

run: setup ui
	@$(CARGO) build --profile quick --package papamu-cli --no-default-features
	@if [ -t 0 ] && [ -t 1 ]; then $(QUICK) serve --open; else $(QUICK) serve --port 0 --check; fi

# One failure does not hide others.
test: setup loom postgres ui chromium
	@status=0; \
	$(CARGO) test --workspace --no-fail-fast || status=1; \
	(cd ui && npm run check && npm test) || status=1; \
	if [ -n "$(CHROMIUM)" ] || command -v chromium >/dev/null; then (cd ui && npm run e2e) || status=1; fi; \
	exit $$status

# The publication of nodes in the shared tree, with every order of events (a few seconds once it is built).
loom: setup
	$(CARGO) test --package papamu-search --features loom --lib publication

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps

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
