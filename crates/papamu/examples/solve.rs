//! The exact value of a position of Havannah, with a certificate that is checked by the rules alone.

use papamu::{BoardOptions, Limits, Outcome, Side, havannah};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = BoardOptions::sized(4);
    let moves = "b1 d2 a2 e4";
    let limits = Limits {
        time: papamu::seconds(60.0).time,
        ..Limits::default()
    };
    let proof = papamu::prove::<havannah::Position>(&board, moves, &limits)?;
    println!("{}", proof.outcome);
    let verdict = papamu::verify(proof.certificate.as_slice())?;
    println!("{} positions show: {}", verdict.positions, verdict.claim());
    assert!(matches!(
        proof.outcome,
        Outcome::Win(Side::White | Side::Black) | Outcome::Draw
    ));
    Ok(())
}
