// An experiment of a second.

export const EXPERIMENT = `
name = "small"
title = "A small experiment"
game = "havannah"
games = 4
[grid]
size = [3, 4]
[budget]
simulations = 100
[players.rave]
player = "rave"
[players.uct]
player = "uct"
[[match]]
player = "rave"
against = "uct"
[openings]
random = 2
[[figure]]
title = "RAVE against UCT"
x = "size"
`;
