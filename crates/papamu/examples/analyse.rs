//! An analysis of a position of Kōnane by the default player, with live progress.

use papamu::{BoardOptions, Notation, Playable, konane};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = BoardOptions::sized(6).with("setup", "centre");
    let position = konane::Position::start(&board)?.play_list("d2-d4 a4-c4", ())?;
    let mut player = papamu::player(position.clone());
    let report = papamu::analyse(&mut *player, &papamu::seconds(0.3), |progress| {
        let line = progress.principal_variation.iter().take(4);
        let line: Vec<String> = line.map(|&mv| position.write_move(mv, ())).collect();
        println!("{:.2} {}", progress.value.0, line.join(" "));
    });
    let best = report.best.ok_or("the game is over")?;
    println!("best move {}", position.write_move(best, ()));
    Ok(())
}
