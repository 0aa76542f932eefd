//! The HTTP interface: what is known at once.

use crate::app::App;
use crate::asked::{Body, File, Named};
use crate::certificates;
use crate::error::Refused;
use crate::pool::{Turn, Weight};
use crate::saved::{GameToSave, SavedGame};
use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use service::catalogue::{self, GameInfo};
use service::certificates::{LARGEST, VerifiedView};
use service::experiments::{ExperimentReport, ExperimentView, PlayedView};
use service::proofs::{ProofQuery, ProofView};
use service::structures::{self, StructuresView};
use service::threats::{self, ThreatsView};
use service::tree::{self, GameTree};
use service::{GameState, PositionView, Problem, position as positions};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

/// The interface, with its description.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(games))
        .routes(routes!(link))
        .routes(routes!(position))
        .routes(routes!(picture))
        .routes(routes!(seen))
        .routes(routes!(expected_structures))
        .routes(routes!(read_file))
        .routes(routes!(write_sgf))
        .routes(routes!(in_dialect))
        .routes(routes!(saved_games, save_game))
        .routes(routes!(saved_game, remove_game))
        .routes(routes!(study))
        .routes(routes!(certificate))
        .routes(routes!(part))
        .routes(routes!(explore))
        .routes(routes!(verify).layer(DefaultBodyLimit::max(LARGEST)))
        .routes(routes!(experiments))
        .routes(routes!(experiment))
        .routes(routes!(figure))
        .routes(routes!(played_games))
        .routes(routes!(played_game))
}

/// The games, with what there is to choose from.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<GameInfo>)))]
async fn games() -> Json<Vec<GameInfo>> {
    Json(catalogue::games())
}

/// The address of the app for other machines, with what lets them in; null where they cannot reach it.
#[utoipa::path(get, path = "/api/link", responses((status = 200, body = Option<String>)))]
async fn link(State(app): State<App>) -> Json<Option<String>> {
    Json(app.link.as_deref().map(str::to_owned))
}

/// The position after the moves of a game.
#[utoipa::path(
    post, path = "/api/position", request_body = GameState,
    responses(
        (status = 200, body = PositionView),
        (status = 400, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn position(Body(state): Body<GameState>) -> Result<Json<PositionView>, Refused> {
    Ok(Json(PositionView::after(&state)?))
}

/// The position after the moves of a game, as an SVG picture.
#[utoipa::path(
    post, path = "/api/picture", request_body = GameState,
    responses(
        (status = 200, content_type = "image/svg+xml", body = String),
        (status = 400, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn picture(Body(state): Body<GameState>) -> Result<impl IntoResponse, Refused> {
    let svg = positions::picture(&state)?;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg))
}

/// What can be seen in the position without a search.
#[utoipa::path(
    post, path = "/api/threats", request_body = GameState,
    responses(
        (status = 200, body = ThreatsView),
        (status = 400, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn seen(Body(state): Body<GameState>) -> Result<Json<ThreatsView>, Refused> {
    let look = tokio::task::spawn_blocking(move || threats::seen_in(&state));
    Ok(Json(look.await.map_err(Problem::internal)??))
}

/// The structures with which games of the network end.
#[utoipa::path(
    post, path = "/api/structures", request_body = GameState,
    responses(
        (status = 200, body = StructuresView),
        (status = 400, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn expected_structures(
    State(app): State<App>,
    Body(state): Body<GameState>,
) -> Result<Json<StructuresView>, Refused> {
    let play = move |turn: &mut Turn| structures::expected_after(&state, &mut || turn.pass());
    Ok(Json(app.pool.answer(Weight::TREE, play).await??))
}

/// The games of a file: SGF, HGF or a list of moves.
#[utoipa::path(
    post, path = "/api/files/read", request_body(content = String, content_type = "text/plain"),
    responses(
        (status = 200, body = Vec<GameTree>),
        (status = 400, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn read_file(File(file): File) -> Result<Json<Vec<GameTree>>, Refused> {
    Ok(Json(tree::read(&file)?))
}

/// A game as SGF.
#[utoipa::path(
    post, path = "/api/files/sgf", request_body = GameTree,
    responses(
        (status = 200, content_type = "text/plain", body = String),
        (status = 400, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn write_sgf(Body(tree): Body<GameTree>) -> Result<String, Refused> {
    Ok(tree.to_sgf()?)
}

/// The same game with its moves in another dialect.
#[utoipa::path(
    post, path = "/api/files/dialect/{dialect}", params(("dialect" = String, Path)),
    request_body = GameTree,
    responses(
        (status = 200, body = GameTree),
        (status = 400, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn in_dialect(
    Named(dialect): Named<String>,
    Body(tree): Body<GameTree>,
) -> Result<Json<GameTree>, Refused> {
    Ok(Json(tree.in_dialect(&dialect)?))
}

/// The saved games, the last saved first.
#[utoipa::path(get, path = "/api/saved", responses((status = 200, body = Vec<SavedGame>)))]
async fn saved_games(State(app): State<App>) -> Result<Json<Vec<SavedGame>>, Refused> {
    Ok(Json(app.saved.list().await?))
}

/// Saves a game and gives its number.
#[utoipa::path(
    post, path = "/api/saved", request_body = GameToSave,
    responses(
        (status = 200, content_type = "application/json", body = i64),
        (status = 400, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn save_game(
    State(app): State<App>,
    Body(game): Body<GameToSave>,
) -> Result<Json<i64>, Refused> {
    check(&game)?;
    Ok(Json(app.saved.add(&game).await?))
}

/// The SGF of a saved game.
#[utoipa::path(
    get, path = "/api/saved/{id}", params(("id" = i64, Path)),
    responses(
        (status = 200, content_type = "text/plain", body = String),
        (status = 404, body = Problem)
    )
)]
async fn saved_game(State(app): State<App>, Named(id): Named<i64>) -> Result<String, Refused> {
    Ok(app.saved.sgf(id).await?)
}

/// What was known of a saved game besides its moves.
#[utoipa::path(
    get, path = "/api/saved/{id}/study", params(("id" = i64, Path)),
    responses((status = 200, body = Option<String>), (status = 404, body = Problem))
)]
async fn study(
    State(app): State<App>,
    Named(id): Named<i64>,
) -> Result<Json<Option<String>>, Refused> {
    Ok(Json(app.saved.study(id).await?))
}

/// Forgets a saved game.
#[utoipa::path(
    delete, path = "/api/saved/{id}", params(("id" = i64, Path)),
    responses((status = 200), (status = 404, body = Problem))
)]
async fn remove_game(State(app): State<App>, Named(id): Named<i64>) -> Result<(), Refused> {
    Ok(app.saved.remove(id).await?)
}

/// A certificate that a solver has written.
#[utoipa::path(
    get, path = "/api/certificates/{id}", params(("id" = u64, Path)),
    responses(
        (status = 200, content_type = "application/octet-stream", body = Vec<u8>),
        (status = 404, body = Problem)
    )
)]
async fn certificate(
    State(app): State<App>,
    Named(id): Named<u64>,
) -> Result<impl IntoResponse, Refused> {
    let bytes = app.certificates.get(id)?;
    Ok(([(CONTENT_TYPE, "application/octet-stream")], bytes))
}

/// What the proof of a certificate says of a position: the move of the strategy, or its answers to all replies.
#[utoipa::path(
    post, path = "/api/certificates/{id}/explore", params(("id" = u64, Path)),
    request_body = ProofQuery,
    responses(
        (status = 200, body = ProofView),
        (status = 400, body = Problem),
        (status = 404, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn explore(
    State(app): State<App>,
    Named(id): Named<u64>,
    Body(query): Body<ProofQuery>,
) -> Result<Json<ProofView>, Refused> {
    let place = certificates::explore(&app.pool, &app.certificates, &app.proofs, id, query);
    Ok(Json(place.await?))
}

/// The certificate of a position that the strategy of another certificate comes to: a part of its proof.
#[utoipa::path(
    post, path = "/api/certificates/{id}/part", params(("id" = u64, Path)),
    request_body = ProofQuery,
    responses(
        (status = 200, content_type = "application/octet-stream", body = Vec<u8>),
        (status = 400, body = Problem),
        (status = 404, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn part(
    State(app): State<App>,
    Named(id): Named<u64>,
    Body(query): Body<ProofQuery>,
) -> Result<impl IntoResponse, Refused> {
    let part = certificates::part(&app.pool, &app.certificates, &app.proofs, id, query);
    Ok(([(CONTENT_TYPE, "application/octet-stream")], part.await?))
}

/// Checks a certificate with the rules alone.
#[utoipa::path(
    post, path = "/api/certificates/verify",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses(
        (status = 200, body = VerifiedView),
        (status = 400, body = Problem),
        (status = 413, body = Problem)
    )
)]
async fn verify(State(app): State<App>, File(file): File) -> Result<Json<VerifiedView>, Refused> {
    let verified = certificates::verify(&app.pool, &app.certificates, file);
    Ok(Json(verified.await?))
}

/// The experiments of the arena's store, the newest first.
#[utoipa::path(get, path = "/api/experiments", responses((status = 200, body = Vec<ExperimentView>)))]
async fn experiments(State(app): State<App>) -> Result<Json<Vec<ExperimentView>>, Refused> {
    Ok(Json(app.experiments.list().await?))
}

/// What is known of an experiment now.
#[utoipa::path(
    get, path = "/api/experiments/{id}", params(("id" = String, Path)),
    responses((status = 200, body = ExperimentReport), (status = 404, body = Problem))
)]
async fn experiment(
    State(app): State<App>,
    Named(id): Named<String>,
) -> Result<Json<ExperimentReport>, Refused> {
    Ok(Json(app.experiments.report(&id).await?))
}

/// A figure of an experiment, as an SVG picture.
#[utoipa::path(
    get, path = "/api/experiments/{id}/figures/{name}",
    params(("id" = String, Path), ("name" = String, Path)),
    responses(
        (status = 200, content_type = "image/svg+xml", body = String),
        (status = 404, body = Problem)
    )
)]
async fn figure(
    State(app): State<App>,
    Named((id, name)): Named<(String, String)>,
) -> Result<impl IntoResponse, Refused> {
    let svg = app.experiments.figure(&id, &name).await?;
    let headers = [
        (CONTENT_TYPE, "image/svg+xml"),
        // A page asks with the version of the figure: the same one never changes.
        (CACHE_CONTROL, "private, max-age=86400"),
    ];
    Ok((headers, svg))
}

/// Games of an experiment in order, from the one after a pair and a colour (0 or 1).
#[utoipa::path(
    get, path = "/api/experiments/{id}/games/after/{pair}/{colour}",
    params(("id" = String, Path), ("pair" = i64, Path), ("colour" = i64, Path)),
    responses((status = 200, body = Vec<PlayedView>), (status = 404, body = Problem))
)]
async fn played_games(
    State(app): State<App>,
    Named((id, pair, colour)): Named<(String, i64, i64)>,
) -> Result<Json<Vec<PlayedView>>, Refused> {
    Ok(Json(app.experiments.games(&id, (pair, colour)).await?))
}

/// The SGF of a game of an experiment.
#[utoipa::path(
    get, path = "/api/experiments/{id}/games/{pair}/{colour}",
    params(("id" = String, Path), ("pair" = u64, Path), ("colour" = i64, Path)),
    responses(
        (status = 200, content_type = "text/plain", body = String),
        (status = 404, body = Problem)
    )
)]
async fn played_game(
    State(app): State<App>,
    Named((id, pair, colour)): Named<(String, u64, i64)>,
) -> Result<String, Refused> {
    Ok(app.experiments.game(&id, pair, colour).await?)
}

/// What is saved can be read again.
fn check(game: &GameToSave) -> Result<(), Problem> {
    if game.title.trim().is_empty() || game.title.len() > 200 {
        return Err(Problem::bad_request("a title has from 1 to 200 characters"));
    }
    tree::read(game.sgf.as_bytes()).map(drop)
}
