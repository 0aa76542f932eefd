#!/usr/bin/env python3
"""Checks certificates of Havannah and Kōnane, as docs/certificates.md and docs/rules.md describe them.

Written from these two pages alone, for clarity and not for speed: python3 checker.py FILE...
For each file it prints "valid: CLAIM, N moves" or "not valid: REASON".
"""

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


class Checker:
    def __init__(self, data):
        self.data, self.at, self.named = data, 0, 0

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

    def check(self):
        if self.line("papamu certificate 3") != "":
            raise Refused("another version")
        game, board = self.line("game "), self.line("board ")
        if game == "havannah":
            position = Havannah(HavannahBoard(board))
        elif game == "konane":
            position = Konane.start(board)
        else:
            raise Refused("another game")
        moves = self.line("moves ")
        for text in moves.split(" ") if moves else []:
            known = {} if position.over() else {position.name(m): m for m in position.legal()}
            if text not in known:
                raise Refused("not legal: " + ascii(text))
            position = position.play(known[text])
        claim = self.line("claim ")
        promises = {
            "white wins": [(WHITE, False)],
            "black wins": [(BLACK, False)],
            "white holds": [(WHITE, True)],
            "black holds": [(BLACK, True)],
            "draw": [(WHITE, True), (BLACK, True)],
        }.get(claim)
        if promises is None or self.line("") != "":
            raise Refused("no claim")
        for p, holds in promises:
            self.prove(position, p, holds)
        if self.data[self.at :] != fnv(self.data[: self.at]):
            raise Refused("the checksum is wrong")
        return claim

    def prove(self, position, p, holds):
        """Depth first, with a stack of what remains to be done: positions to come to, and keys that are done
        when what was put above them has gone."""
        done, count, todo = set(), 0, [("come", position)]
        while todo:
            what, position = todo.pop()
            if what == "done":
                done.add(position)
                continue
            count += 1
            if count == 256:
                count = 0
                if self.byte() != 0:
                    raise Refused("a zero should stand here")
            over = position.over()
            if over:
                if over == p or (holds and over == "draw"):
                    continue
                raise Refused("the game ends otherwise")
            mine = position.to_move == p
            if mine and position.key() in done:
                continue
            settled, moves = position.settle(p, holds)
            if settled == "kept":
                continue
            if settled == "broken":
                raise Refused("the other side wins")
            if settled == "answers":
                todo.extend(("come", position.play(move)) for move in reversed(moves))
                continue
            if settled == "open":
                legal = position.legal()
                number = self.byte()
                if len(legal) > 256:
                    number = number << 8 | self.byte()
                if number >= len(legal):
                    raise Refused("there is no move of this number")
                self.named, count, moves = self.named + 1, 0, legal[number]
            todo.append(("done", position.key()))
            todo.append(("come", position.play(moves)))


def main(files):
    good = True
    for file in files:
        with open(file, "rb") as opened:
            checker = Checker(opened.read())
        try:
            print(f"valid: {checker.check()}, {checker.named} moves")
        except Refused as why:
            good = False
            print(f"not valid: {why}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
