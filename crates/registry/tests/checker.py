#!/usr/bin/env python3
"""Checks certificates of Havannah and Kōnane, as docs/certificates.md and docs/rules.md describe them.

Written from these two pages alone, for clarity and not for speed: python3 checker.py FILE...
For each file it prints "valid: CLAIM, N moves" or "not valid: REASON". The pieces of a file are looked for among
the files that are named with it.
"""

import hashlib
import sys

WHITE, BLACK = "white", "black"


def other(side):
    return BLACK if side == WHITE else WHITE


class Refused(Exception):
    """The certificate is not valid, for this reason."""


# Havannah ---------------------------------------------------------------------------------------

def row_name(y):
    letter = chr(ord("a") + y % 26)
    return letter if y < 26 else chr(ord("a") + y // 26 - 1) + letter


class HavannahBoard:
    """The cells of a board with sides a, b, c: (y, x), so that tuples are in the order of moves."""

    def __init__(self, text):
        parts = text.split("x")
        sides = [strict_number(part, 2, 20) for part in parts]
        if len(sides) == 1:
            sides *= 3
        elif len(sides) != 3 or len(set(sides)) == 1:
            raise Refused("no board")
        a, b, c = sides
        self.sides = sides
        self.cells = [
            (y, x)
            for y in range(b + c - 1)
            for x in range(max(0, y + 1 - c), min(a + y, a + b - 1))
        ]
        inside = set(self.cells)
        steps = [(-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0), (0, -1)]
        self.around = {
            (y, x): [(y + dy, x + dx) for dy, dx in steps] for y, x in self.cells
        }
        self.near = {
            cell: [n for n in around if n in inside] for cell, around in self.around.items()
        }
        self.names = {cell: row_name(cell[0]) + str(cell[1] + 1) for cell in self.cells}
        # A corner has three neighbours, other cells of the rim have four. (A board with a side of 2 has
        # no cells on that edge.)
        lines = [
            lambda y, x: y == 0,
            lambda y, x: x - y == a - 1,
            lambda y, x: x == a + b - 2,
            lambda y, x: y == b + c - 2,
            lambda y, x: y - x == c - 1,
            lambda y, x: x == 0,
        ]
        on = {cell: [i for i, line in enumerate(lines) if line(*cell)] for cell in self.cells}
        self.corner = {cell: cell for cell in self.cells if len(on[cell]) == 2}
        self.edge = {cell: on[cell][0] for cell in self.cells if len(on[cell]) == 1}
        self.symmetries = self.find_symmetries()

    def find_symmetries(self):
        """Maps of the board to itself, from the twelve of the plane."""
        found = []
        # Cube coordinates turn and mirror by permuting and negating; then the board is moved back.
        cubes = {cell: (cell[1], -cell[0], cell[0] - cell[1]) for cell in self.cells}
        orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)]
        for order in orders:
            for sign in (1, -1):
                turned = {
                    cell: tuple(sign * cube[i] for i in order) for cell, cube in cubes.items()
                }
                low = [min(t[i] for t in turned.values()) for i in range(3)]
                base = [min(t[i] for t in cubes.values()) for i in range(3)]
                shift = [base[i] - low[i] for i in range(3)]
                if sum(shift) != 0:
                    continue
                back = {cube: cell for cell, cube in cubes.items()}
                moved = {
                    cell: back.get(tuple(t[i] + shift[i] for i in range(3)))
                    for cell, t in turned.items()
                }
                if None not in moved.values():
                    found.append(moved)
        return found


class Havannah:
    """A position: the stones of each side, and whose turn it is."""

    def __init__(self, board, white=frozenset(), black=frozenset(), to_move=WHITE, won=None):
        self.board = board
        self.stones = {WHITE: white, BLACK: black}
        self.to_move = to_move
        self.won = won

    def legal(self):
        taken = self.stones[WHITE] | self.stones[BLACK]
        return [cell for cell in self.board.cells if cell not in taken]

    def over(self):
        """The winner, "draw", or None."""
        return self.won or (None if self.legal() else "draw")

    def name(self, move):
        return self.board.names[move]

    def play(self, move):
        own = self.stones[self.to_move] | {move}
        stones = dict(self.stones)
        stones[self.to_move] = own
        won = self.to_move if completes(self.board, own, move) else None
        return Havannah(self.board, stones[WHITE], stones[BLACK], other(self.to_move), won)

    def key(self):
        white, black = self.stones[WHITE], self.stones[BLACK]
        if len(white) + len(black) > 5:
            return (self.to_move, white, black)
        shown = []
        for symmetry in self.board.symmetries:
            show = lambda stones: tuple(sorted(symmetry[cell] for cell in stones))
            shown.append((show(white), show(black)))
        return (self.to_move, *min(shown))

    def winning(self, side, stones=None, empty=None):
        own = self.stones[side] if stones is None else stones
        cells = self.legal() if empty is None else empty
        return [cell for cell in cells if completes(self.board, own | {cell}, cell)]

    def first(self):
        """Of positions with the same key, the one whose stones come first in the order of positions."""
        if self.progress() > 5:
            return self
        shown = []
        for symmetry in self.board.symmetries:
            stones = {
                side: frozenset(symmetry[cell] for cell in self.stones[side])
                for side in (WHITE, BLACK)
            }
            turned = Havannah(self.board, stones[WHITE], stones[BLACK], self.to_move, self.won)
            shown.append(turned)
        return min(shown, key=Havannah.order)

    def turned(self):
        """What a position has in common with all that are symmetric to it."""
        shown = []
        for symmetry in self.board.symmetries:
            show = lambda stones: tuple(sorted(symmetry[cell] for cell in stones))
            shown.append((show(self.stones[WHITE]), show(self.stones[BLACK])))
        return (self.to_move, *min(shown))

    def order(self):
        white, black = self.stones[WHITE], self.stones[BLACK]
        return [1 if c in white else 2 if c in black else 0 for c in self.board.cells]

    def progress(self):
        return len(self.stones[WHITE]) + len(self.stones[BLACK])

    def candidates(self):
        """The legal moves in order, with their classes."""
        own, found = self.to_move, []
        against = self.double_threats(other(own))
        for m in self.legal():
            parries = all(m == x or (len(t) == 2 and m in t) for x, t in against)
            rest = [cell for cell in self.legal() if cell != m]
            threatens = bool(self.winning(own, self.stones[own] | {m}, rest))
            found.append((2 * (not parries) + (not threatens), m))
        return found

    def double_threats(self, side):
        found, empty = [], self.legal()
        for x in empty:
            rest = [cell for cell in empty if cell != x]
            threats = self.winning(side, self.stones[side] | {x}, rest)
            if len(threats) >= 2:
                found.append((x, threats))
        return found

    def cannot_win(self, side):
        return not has_structure(self.board, self.stones[side] | set(self.legal()))

    def settle(self, p, holds):
        q = other(p)
        if self.to_move == p:
            if self.winning(p):
                return "kept", None
            against = self.winning(q)
            if len(against) >= 2:
                return "broken", None
            if against:
                return "forced", against[0]
            if holds and self.cannot_win(q):
                return "kept", None
            return ("kept", None) if self.double_threats(p) else ("open", None)
        if self.winning(q):
            return "broken", None
        own = self.winning(p)
        if len(own) >= 2:
            return "kept", None
        if own:
            return "answers", own
        if holds and self.cannot_win(q):
            return "kept", None
        doubles, answers, empty = self.double_threats(p), [], self.legal()
        for m in empty:
            beaten = any(
                x != m and len([t for t in threats if t != m]) >= 2 for x, threats in doubles
            )
            if beaten:
                rest = [cell for cell in empty if cell != m]
                beaten = not self.winning(q, self.stones[q] | {m}, rest)
            if not beaten:
                answers.append(m)
        return ("answers", answers) if answers else ("kept", None)


def group(board, stones, start):
    seen, todo = {start}, [start]
    while todo:
        for near in board.near[todo.pop()]:
            if near in stones and near not in seen:
                seen.add(near)
                todo.append(near)
    return seen


def is_structure(board, stones):
    """Whether connected stones are a bridge, a fork or have a ring."""
    if len({board.corner[cell] for cell in stones if cell in board.corner}) >= 2:
        return True
    if len({board.edge[cell] for cell in stones if cell in board.edge}) >= 3:
        return True
    return has_ring(board, stones)


def has_ring(board, stones):
    """A loop of stones has a cell inside. Either that, or another one inside, is no stone of the group, and
    then there is no way to it from outside; or all are, and then all six cells around it are too."""
    if len(stones) < 6:
        return False
    if any(all(near in stones for near in board.around[cell]) for cell in stones):
        return True
    free = [cell for cell in board.cells if cell not in stones]
    seen = {cell for cell in free if len(board.near[cell]) < 6}
    todo = list(seen)
    while todo:
        for near in board.near[todo.pop()]:
            if near not in stones and near not in seen:
                seen.add(near)
                todo.append(near)
    return len(seen) < len(free)


def completes(board, stones, cell):
    return is_structure(board, group(board, stones, cell))


def has_structure(board, stones):
    left = set(stones)
    while left:
        one = group(board, stones, next(iter(left)))
        if is_structure(board, one):
            return True
        left -= one
    return False


# Kōnane -----------------------------------------------------------------------------------------

class Konane:
    """A position: rows, columns, the occupied cells as (row, column), whose turn it is, and the stage."""

    def __init__(self, rows, cols, stones, to_move, stage):
        self.rows, self.cols = rows, cols
        self.stones, self.to_move, self.stage = stones, to_move, stage

    @staticmethod
    def start(text):
        size, _, opening = text.partition(" ")
        sides = size.split("x")
        if len(sides) != 2:
            raise Refused("no board")
        rows, cols = (strict_number(side, 1, 24) for side in sides)
        if rows * cols > 400:
            raise Refused("too many cells")
        stones = frozenset((y, x) for y in range(rows) for x in range(cols))
        if opening in ("traditional", "any"):
            return Konane(rows, cols, stones, BLACK, opening)
        y, x = rows // 2, cols // 2
        pairs = {
            "corner": [(0, 0), (0, 1)],
            "corner-vertical": [(0, 0), (1, 0)],
            "centre": [(y, x), (y, x - 1)],
            "centre-vertical": [(y, x), (y - 1, x)],
        }
        pair = pairs.get(opening) or [konane_cell(part) for part in opening.split(",")]
        if len(pair) != 2 or not all(cell in stones for cell in pair):
            raise Refused("no pair of this board")
        (y1, x1), (y2, x2) = pair
        if abs(y1 - y2) + abs(x1 - x2) != 1:
            raise Refused("no neighbours")
        return Konane(rows, cols, stones - set(pair), BLACK, "jumps")

    def colour(self, cell):
        return BLACK if (cell[0] + cell[1]) % 2 == 0 else WHITE

    def legal(self):
        if self.stage in ("traditional", "any"):
            ends = lambda n: (0, n - 1)
            middle = lambda n: (n // 2, (n - 1) // 2)
            allowed = lambda y, x: self.stage == "any" or any(
                y in which(self.rows) and x in which(self.cols) for which in (ends, middle)
            )
            return sorted(c for c in self.stones if self.colour(c) == BLACK and allowed(*c))
        if self.stage == "white":
            y, x = next(
                (y, x)
                for y in range(self.rows)
                for x in range(self.cols)
                if (y, x) not in self.stones
            )
            beside = [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]
            return sorted(cell for cell in beside if cell in self.stones)
        return self.jumps()

    def jumps(self):
        moves = []
        for y, x in self.stones:
            if self.colour((y, x)) != self.to_move:
                continue
            for dy, dx in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                ty, tx = y, x
                while (ty + dy, tx + dx) in self.stones:
                    ty, tx = ty + 2 * dy, tx + 2 * dx
                    inside = 0 <= ty < self.rows and 0 <= tx < self.cols
                    if not inside or (ty, tx) in self.stones:
                        break
                    moves.append(((y, x), (ty, tx)))
        return sorted(moves)

    def over(self):
        return None if self.legal() else other(self.to_move)

    def name(self, move):
        write = lambda cell: chr(ord("a") + cell[1]) + str(cell[0] + 1)
        return write(move) if self.stage != "jumps" else write(move[0]) + "-" + write(move[1])

    def play(self, move):
        after = other(self.to_move)
        if self.stage in ("traditional", "any"):
            return Konane(self.rows, self.cols, self.stones - {move}, after, "white")
        if self.stage == "white":
            return Konane(self.rows, self.cols, self.stones - {move}, after, "jumps")
        (y, x), (ty, tx) = move
        steps = max(abs(ty - y), abs(tx - x))
        dy, dx = (ty - y) // steps, (tx - x) // steps
        gone = {(y + i * dy, x + i * dx) for i in range(steps)}
        return Konane(self.rows, self.cols, self.stones - gone | {(ty, tx)}, after, "jumps")

    def key(self):
        return (self.to_move, self.stones)

    def turned(self):
        return self.key()

    def first(self):
        return self

    def order(self):
        cells = ((y, x) for y in range(self.rows) for x in range(self.cols))
        return [int(cell in self.stones) for cell in cells]

    def progress(self):
        return self.rows * self.cols - len(self.stones)

    def candidates(self):
        """The legal moves in order, with their classes: the replies to each."""
        return [(min(len(self.play(m).jumps()), 255), m) for m in self.legal()]

    def settle(self, p, holds):
        moves = self.legal()
        if self.to_move != p:
            return "answers", moves
        if any(not self.play(move).legal() for move in moves):
            return "kept", None
        return "open", None


def konane_cell(text):
    if not text[:1].isascii() or not "a" <= text[:1] <= "x":
        raise Refused("no cell")
    return (strict_number(text[1:], 1, 24) - 1, ord(text[0]) - ord("a"))


# The file ---------------------------------------------------------------------------------------

def strict_number(text, low, high):
    if not (text.isascii() and text.isdigit()) or text[0] == "0" or len(text) > 4:
        raise Refused("no number: " + ascii(text))
    if not low <= int(text) <= high:
        raise Refused("out of range: " + text)
    return int(text)


def fnv(data):
    number = 0xCBF29CE484222325
    for byte in data:
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return number.to_bytes(8, "little")


class Chance:
    def __init__(self):
        self.no, self.seen = 32768, 0

    def learn(self, value):
        if value:
            self.no -= self.no // (self.seen + 2)
        else:
            self.no += (65536 - self.no) // (self.seen + 2)
        self.no = max(32, min(self.no, 65536 - 32))
        self.seen = min(self.seen + 1, 60)


class Decoder:
    def __init__(self, block):
        self.block, self.at, self.code, self.range = block, 0, 0, 2**32 - 1
        for _ in range(4):
            self.shift()

    def shift(self):
        byte = self.block[self.at] if self.at < len(self.block) else 0
        self.code = (self.code << 8 | byte) & (2**32 - 1)
        self.at += 1

    def decide(self, chance):
        bound = (self.range >> 16) * chance.no
        value = self.code >= bound
        if value:
            self.code -= bound
            self.range -= bound
        else:
            self.range = bound
        while self.range < 2**24:
            self.range <<= 8
            self.shift()
        chance.learn(value)
        return value


class State:
    """What the decisions of a block begin with, and end with."""

    def __init__(self):
        self.omitted = [Chance() for _ in range(8)]
        self.piece = Chance()
        self.moves = [[Chance() for _ in range(8)] for _ in range(16)]
        self.recent = []

    def copy(self):
        def same(chance):
            new = Chance()
            new.no, new.seen = chance.no, chance.seen
            return new

        new = State()
        new.omitted = [same(chance) for chance in self.omitted]
        new.piece = same(self.piece)
        new.moves = [[same(chance) for chance in chances] for chances in self.moves]
        new.recent = list(self.recent)
        return new

    def read(self, decoder, position, search, pieces):
        candidates = position.candidates()
        if search > 0:
            place = min(len(candidates).bit_length() - 1, 7)
            if decoder.decide(self.omitted[place]):
                return "omitted", None
        if pieces > 0 and decoder.decide(self.piece):
            number = 0
            for _ in range((pieces - 1).bit_length()):
                number = number << 1 | decoder.decide(Chance())
            if number >= pieces:
                raise Refused("there is no such piece")
            return "piece", number
        age = lambda move: self.recent.index(move) if move in self.recent else 64
        candidates.sort(key=lambda candidate: (candidate[0], age(candidate[1])))
        chosen = candidates[-1][1]
        for place, (kind, move) in enumerate(candidates[:-1]):
            if decoder.decide(self.moves[min(kind, 15)][min(place, 7)]):
                chosen = move
                break
        if chosen in self.recent:
            self.recent.remove(chosen)
        self.recent = [chosen] + self.recent[:63]
        return "move", chosen


class Search:
    """The checker's own search for what is left out."""

    def __init__(self, p, holds, left):
        self.p, self.holds, self.left = p, holds, left

    def finds(self, position):
        depth, self.cut = 0, True
        try:
            while self.cut:
                depth, self.cut = depth + 1, False
                if self.come(position, depth):
                    return True
        except Refused:
            pass
        return False

    def come(self, position, depth):
        if self.left == 0:
            raise Refused("the search ends")
        self.left -= 1
        over = position.over()
        if over:
            return over == self.p or (self.holds and over == "draw")
        settled, moves = position.settle(self.p, self.holds)
        if settled in ("kept", "broken"):
            return settled == "kept"
        if settled == "forced":
            return self.come(position.play(moves), depth)
        if settled == "answers":
            return all(self.come(position.play(move), depth) for move in moves)
        if depth == 0:
            self.cut = True
            return False
        candidates = sorted(position.candidates(), key=lambda candidate: candidate[0])
        return any(self.come(position.play(move), depth - 1) for _, move in candidates)


class Checker:
    def __init__(self, data, others=None):
        self.data, self.at, self.named, self.others = data, 0, 0, others or {}

    def line(self, begin):
        end = self.data.find(b"\n", self.at, self.at + 65536)
        if end < 0:
            raise Refused("a line is missing")
        try:
            text = self.data[self.at : end].decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("no text")
        if not text.startswith(begin):
            raise Refused("a line should begin with " + begin)
        self.at = end + 1
        return text[len(begin) :]

    def byte(self):
        if self.at >= len(self.data):
            raise Refused("the certificate ends here")
        self.at += 1
        return self.data[self.at - 1]

    def block(self):
        length = 0
        for place in range(4):
            byte = self.byte()
            length |= (byte & 127) << (7 * place)
            if byte < 128:
                if self.at + length > len(self.data):
                    raise Refused("the certificate ends here")
                self.at += length
                return self.data[self.at - length : self.at]
        raise Refused("too long a length")

    def header(self):
        if self.line("papamu certificate 4") != "":
            raise Refused("another version")
        game, self.board = self.line("game "), self.line("board ")
        if game == "havannah":
            position = Havannah(HavannahBoard(self.board))
        elif game == "konane":
            position = Konane.start(self.board)
        else:
            raise Refused("another game")
        self.board = game + " " + self.board
        moves = self.line("moves ")
        for text in moves.split(" ") if moves else []:
            known = {} if position.over() else {position.name(m): m for m in position.legal()}
            if text not in known:
                raise Refused("not legal: " + ascii(text))
            position = position.play(known[text])
        self.position = position
        self.claim = self.line("claim ")
        self.promises = {
            "white wins": [(WHITE, False)],
            "black wins": [(BLACK, False)],
            "white holds": [(WHITE, True)],
            "black holds": [(BLACK, True)],
            "draw": [(WHITE, True), (BLACK, True)],
        }.get(self.claim)
        if self.promises is None:
            raise Refused("no claim")
        search = self.line("search ")
        self.search = 0 if search == "0" else strict_number(search, 1, 10000)
        self.pieces = []
        while piece := self.line(""):
            digits = piece.removeprefix("piece ")
            if len(piece) != 70 or len(digits) != 64 or set(digits) - set("0123456789abcdef"):
                raise Refused("no piece")
            if self.pieces and self.pieces[-1] >= digits:
                raise Refused("the pieces are not in order")
            self.pieces.append(digits)

    def check(self, above=()):
        self.header()
        self.shown = []
        for digest in self.pieces:
            if digest not in self.others or digest in above:
                raise Refused("a piece is not there")
            piece = Checker(self.others[digest], self.others)
            piece.check((*above, digest))
            if piece.board != self.board:
                raise Refused("a piece of another board")
            self.shown.append((piece.position.turned(), piece.promises))
        for p, holds in self.promises:
            self.prove(p, holds)
        if self.data[self.at :] != fnv(self.data[: self.at]):
            raise Refused("the checksum is wrong")
        return self.claim

    def prove(self, p, holds):
        ahead, state = {}, State()

        def come(position):
            """To a position: puts those that follow, in which P moves, where they wait for their turn."""
            over = position.over()
            if over:
                if over == p or (holds and over == "draw"):
                    return
                raise Refused("the game ends otherwise")
            if position.to_move == p:
                position = position.first()
                ahead.setdefault(position.progress(), {})[position.key()] = position
                return
            settled, moves = position.settle(p, holds)
            if settled == "broken":
                raise Refused("the other side wins")
            for move in moves if settled == "answers" else []:
                come(position.play(move))

        come(self.position)
        while ahead:
            waiting = sorted(ahead.pop(min(ahead)).values(), key=lambda position: position.order())
            for begin in range(0, len(waiting), 16384):
                positions = waiting[begin : begin + 16384]
                block, least = self.block(), len(positions) // 256
                if len(block) < least:
                    raise Refused("a block is too short")
                decoder, now = Decoder(block), state.copy()
                for position in positions:
                    settled, move = position.settle(p, holds)
                    if settled == "kept":
                        continue
                    if settled == "broken":
                        raise Refused("the other side wins")
                    if settled == "open":
                        said, move = now.read(decoder, position, self.search, len(self.pieces))
                        if said == "omitted":
                            if not Search(p, holds, self.search).finds(position):
                                raise Refused("what is left out is not found")
                            continue
                        if said == "piece":
                            key, promises = self.shown[move]
                            if key != position.turned() or not {(p, holds), (p, False)} & set(promises):
                                raise Refused("the piece shows something else")
                            continue
                        self.named += 1
                    come(position.play(move))
                rest = block[decoder.at :]
                if rest and (len(block) > least or any(rest)):
                    raise Refused("a block says more than it should")
                if begin == 0:
                    state = now


def main(files):
    good, others = True, {}
    for file in files:
        with open(file, "rb") as opened:
            data = opened.read()
        others[hashlib.sha256(data).hexdigest()] = data
    for file in files:
        with open(file, "rb") as opened:
            checker = Checker(opened.read(), others)
        try:
            print(f"valid: {checker.check()}, {checker.named} moves")
        except Refused as why:
            good = False
            print(f"not valid: {why}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
