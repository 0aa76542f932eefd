# run    play a game in the terminal (without a terminal: one quick game of the program against itself)
# test   run every test
# bench  the rates and signatures of this machine
# bless  take what the program prints now as what the tests expect; look at the difference before you commit

CARGO ?= cargo
PAPAMU = target/release/papamu

.PHONY: run test loom lint bench bless build setup postgres

run: build
	@if [ -t 0 ] && [ -t 1 ]; then \
		$(PAPAMU) play havannah --size 5; \
	else \
		$(PAPAMU) play havannah --size 4 --side none --simulations 500; \
	fi

test: setup loom postgres
	$(CARGO) test --workspace

# The publication of nodes in the shared tree, with every order of events (a few seconds once it is built).
loom: setup
	RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom $(CARGO) test --package search --lib publication

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps

bench: build
	$(PAPAMU) bench havannah --size 5
	$(PAPAMU) bench havannah --size 10
	$(PAPAMU) bench konane --setup centre

bless: setup
	BLESS=1 TRYCMD=overwrite $(CARGO) test --workspace

build: setup
	@$(CARGO) build --release --package papamu

setup:
	@command -v $(CARGO) >/dev/null || { echo "papamu needs Rust: install it from https://rustup.rs, then run make again" >&2; exit 1; }

# The tests of the arena start a PostgreSQL of their own from the distribution's packages.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update && apt-get install -y postgresql; \
	else echo "some tests of the arena are skipped: install PostgreSQL (apt-get install postgresql)" >&2; fi
