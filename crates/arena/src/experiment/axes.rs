//! Axes of the grid that nothing uses: they would only multiply the games.

use super::file::{File, Player};
use super::template::Text;

/// The axes with several values that have no place, by any of the names that they link, in what decides games: the
/// board, the openings, or the budget or the parameters of a player that meets somebody.
pub(super) fn unused(file: &File, matches: &[(String, String)]) -> Vec<String> {
    let board = &file.board;
    let mut texts: Vec<&str> = board.values().map(|text| text.0.as_str()).collect();
    let openings = &file.openings;
    texts.extend(of(&[&openings.random, &openings.every]));
    let lists = openings.moves.iter().chain(&openings.setups).flatten();
    texts.extend(lists.map(|text| text.0.as_str()));
    let names = matches
        .iter()
        .flat_map(|(player, against)| [player, against]);
    for player in names.filter_map(|name| file.players.get(name)) {
        texts.extend(of_player(player, file));
    }
    // Without a size of its own the board has that of the grid.
    let board_has_size = ["size", "rows", "cols"]
        .iter()
        .any(|name| board.contains_key(*name));
    let is_unused = |(axis, values): &(&String, &toml::Value)| {
        let values = values.as_array().map_or(&[][..], Vec::as_slice);
        let linked = values.iter().filter_map(toml::Value::as_table);
        let mut names: Vec<&str> = linked
            .flat_map(toml::Table::keys)
            .map(String::as_str)
            .collect();
        names.push(axis.as_str());
        let is_used = |name: &&str| {
            let place = format!("{{{name}}}");
            let is_size = *name == "size" && !board_has_size;
            is_size || texts.iter().any(|text| text.contains(&place))
        };
        values.len() > 1 && !names.iter().any(is_used)
    };
    let unused = file.grid.iter().filter(is_unused);
    unused.map(|(axis, _)| axis.clone()).collect()
}

fn of<'a>(texts: &[&'a Option<Text>]) -> Vec<&'a str> {
    let texts = texts.iter().filter_map(|text| text.as_ref());
    texts.map(|text| text.0.as_str()).collect()
}

fn of_player<'a>(player: &'a Player, file: &'a File) -> Vec<&'a str> {
    let mut texts = of(&[&player.name, &player.genmove]);
    let lists = player.command.iter().flatten();
    let lists = lists.chain(&player.setup).chain(&player.each_game);
    texts.extend(lists.chain(player.set.values()).map(|text| text.0.as_str()));
    if let Some(budget) = player.budget.as_ref().or(file.budget.as_ref()) {
        texts.extend(of(&[
            &budget.simulations,
            &budget.nodes,
            &budget.depth,
            &budget.seconds,
            &budget.reference_seconds,
            &budget.game_seconds,
            &budget.increment_seconds,
            &budget.opponent_times,
            &budget.first_seconds,
            &budget.margin_seconds,
        ]));
    }
    texts
}
