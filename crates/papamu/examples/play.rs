//! A game of Havannah against the default player.

use papamu::{Game, Notation, Picture, havannah};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position: havannah::Position = papamu::board(5)?;
    let mut player = papamu::player(position);
    for text in ["e5", "d4", "f5"] {
        let grid = havannah::Dialect::Grid;
        let own = player.position().parse_move(text, grid)?;
        if player.advance(own).is_err() {
            continue; // The cell is taken.
        }
        let report = papamu::think(&mut *player, &papamu::simulations(300));
        let answer = report.best.ok_or("the game is over")?;
        println!("{text} {}", player.position().write_move(answer, grid));
        player.advance(answer)?;
    }
    assert!(player.position().ply() >= 4);
    println!("{}", player.position().picture(havannah::Dialect::Grid));
    Ok(())
}
