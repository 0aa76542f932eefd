//! `papamu.Position`.

use crate::arguments::{self, Any, given, moves, number, optional_text, side_name, text};
use crate::erased::{AnyPosition, Marks, Said, Shared};
use crate::errors::{Fault, guarded};
use crate::lattice::Lattice;
use crate::typed;
use papamu::{Side, with_game};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A position of a game, with the moves that led to it. It never changes: `play` gives another one.
///
/// Two positions are equal if the game continues in the same way from both, whatever moves led to them.
///
/// `papamu.games()` lists the games with their options, such as `size`. `dialect` is the notation of moves and
/// cells, in a game that has several.
#[pyclass(frozen, module = "papamu")]
pub struct Position {
    pub shared: Shared,
}

impl Position {
    fn inner(&self) -> &dyn AnyPosition {
        &*self.shared
    }
}

/// The position that an argument is.
pub fn position(value: Any<'_, '_>) -> Result<Shared, Fault> {
    let position = value.cast::<Position>();
    let position = position.map_err(|_| {
        let found = value.get_type();
        Fault::wrong_type(format!("position is a papamu.Position, not {found}"))
    })?;
    Ok(position.get().shared.clone())
}

/// A move: a text, or the number of an action.
fn said(value: Any<'_, '_>) -> Result<Said, Fault> {
    if value.is_instance_of::<PyString>() {
        return Ok(Said::Text(text("a move", value)?));
    }
    let action = number("a move that is no text", value, 0)?;
    Ok(Said::Action(usize::try_from(action).unwrap_or(usize::MAX)))
}

/// An array of `NumPy` with some bytes, which the caller may write to.
fn array<'py>(
    py: Python<'py>,
    bytes: &[u8],
    dtype: &str,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    let flat = numpy.call_method1("frombuffer", (PyBytes::new(py, bytes), "uint8"))?;
    let array = flat.call_method1("reshape", (PyTuple::new(py, shape)?,))?;
    // `astype` copies: what `frombuffer` gives cannot be written to.
    array.call_method1("astype", (dtype,))
}

/// Pairs of texts: a dictionary, or a list of pairs.
fn pairs(name: &str, value: Option<Any<'_, '_>>) -> PyResult<Vec<(String, String)>> {
    let Some(value) = given(value) else {
        return Ok(Vec::new());
    };
    let items = match value.cast::<PyDict>() {
        Ok(dict) => dict.items().into_any(),
        Err(_) => value.clone(),
    };
    let wrong = |_| Fault::wrong_type(format!("{name} is a dictionary or a list of pairs"));
    let mut pairs = Vec::new();
    for item in items.try_iter().map_err(wrong)? {
        let (first, second) = item?
            .extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()
            .map_err(wrong)?;
        let second = second.str()?;
        pairs.push((text(name, &first)?, text(name, second.as_any())?));
    }
    Ok(pairs)
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, *, moves=None, dialect=None, **options))]
    fn new(
        game: Any<'_, '_>,
        moves: Option<Any<'_, '_>>,
        dialect: Option<Any<'_, '_>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Position> {
        guarded(|| {
            let name = arguments::game(game)?;
            let moves = arguments::moves("moves", moves)?;
            let dialect = optional_text("dialect", dialect)?;
            let options = arguments::options(options)?;
            let shared = with_game!(
                name,
                G => typed::begin::<G>(name, options, dialect.as_deref(), &moves)
            )?;
            Ok(Position { shared })
        })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.inner().game().name()
    }

    /// The options of the board.
    #[getter]
    fn options(&self) -> BTreeMap<String, String> {
        self.inner().options()
    }

    /// The notation of moves and cells; `None` if the game has only one.
    #[getter]
    fn dialect(&self) -> Option<&'static str> {
        self.inner().dialect()
    }

    /// The size of the board: a number, or the sides joined by `x`.
    #[getter]
    fn size(&self) -> String {
        self.inner().size()
    }

    /// `white` or `black`: the side to move, or that would be next if the game went on.
    #[getter]
    fn turn(&self) -> &'static str {
        side_name(self.inner().to_move())
    }

    /// `white`, `black` or `draw`; `None` while the game is not over.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.inner().outcome()
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner().outcome().is_some()
    }

    /// What the last move completed, in a game that is won by completing something.
    #[getter]
    fn structure(&self) -> Option<String> {
        self.inner().structure()
    }

    /// The moves from the start of the game.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.inner().moves()
    }

    /// The legal moves; none if the game is over.
    fn legal_moves(&self) -> PyResult<Vec<String>> {
        guarded(|| Ok(self.inner().legal_moves()))
    }

    /// The numbers of the legal moves, in ascending order.
    fn legal_actions(&self) -> PyResult<Vec<usize>> {
        guarded(|| Ok(self.inner().legal_actions()))
    }

    /// Whether a move, or an action, is legal. A text that is not a move is not legal.
    fn is_legal(&self, r#move: Any<'_, '_>) -> PyResult<bool> {
        guarded(|| Ok(self.inner().is_legal(&said(r#move)?)))
    }

    /// The number of all moves of the board, legal or not. Actions are numbered from 0.
    #[getter]
    fn num_actions(&self) -> usize {
        self.inner().actions()
    }

    /// The number of a move among all moves of the board.
    fn action(&self, r#move: Any<'_, '_>) -> PyResult<usize> {
        guarded(|| Ok(self.inner().action(&text("move", r#move)?)?))
    }

    /// The move with a number.
    fn action_to_move(&self, action: Any<'_, '_>) -> PyResult<String> {
        guarded(|| {
            let action = number("action", action, 0)?;
            let action = usize::try_from(action).unwrap_or(usize::MAX);
            Ok(self.inner().move_of(action)?)
        })
    }

    /// 1 for each legal action and 0 for the others.
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let mut mask = vec![0u8; self.inner().actions()];
            for action in self.inner().legal_actions() {
                mask[action] = 1;
            }
            array(py, &mask, "int8", &[mask.len()])
        })
    }

    /// The position after some moves, which are texts or actions.
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: &Bound<'_, PyTuple>) -> PyResult<Position> {
        guarded(|| {
            let moves = moves.iter().map(|mv| said(&mv));
            let moves = moves.collect::<Result<Vec<Said>, Fault>>()?;
            let shared = self.inner().after(&moves)?;
            Ok(Position { shared })
        })
    }

    /// The position before the last move, or before as many moves.
    #[pyo3(signature = (plies=None))]
    fn undo(&self, plies: Option<Any<'_, '_>>) -> PyResult<Position> {
        guarded(|| {
            let plies = arguments::optional_number("plies", plies, 0)?.unwrap_or(1);
            let plies = usize::try_from(plies).unwrap_or(usize::MAX);
            let shared = self.inner().before(plies)?;
            Ok(Position { shared })
        })
    }

    /// The number of moves that were played.
    #[getter]
    fn ply(&self) -> usize {
        self.inner().ply()
    }

    /// The board as SVG. `highlight` has cells in another colour, without it those of the structure that won;
    /// `labels` has short texts on cells, `arrows` pairs of cells.
    #[pyo3(signature = (*, title=None, coordinates=true, last_move=true, highlight=None, labels=None, arrows=None))]
    fn svg(
        &self,
        title: Option<Any<'_, '_>>,
        coordinates: bool,
        last_move: bool,
        highlight: Option<Any<'_, '_>>,
        labels: Option<Any<'_, '_>>,
        arrows: Option<Any<'_, '_>>,
    ) -> PyResult<String> {
        guarded(|| {
            let highlight = given(highlight).map(|cells| moves("highlight", Some(cells)));
            let marks = Marks {
                title: optional_text("title", title)?,
                coordinates,
                last_move,
                highlight: highlight.transpose()?,
                labels: pairs("labels", labels)?,
                arrows: pairs("arrows", arrows)?,
            };
            Ok(self.inner().svg(&marks)?)
        })
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None, true, true, None, None, None)
    }

    /// The game as SGF.
    fn sgf(&self) -> PyResult<String> {
        guarded(|| Ok(self.inner().sgf()))
    }

    /// Rows and columns of the arrays below.
    #[getter]
    fn shape(&self) -> PyResult<(usize, usize)> {
        guarded(|| {
            let Lattice { rows, cols, .. } = self.inner().lattice();
            Ok((rows, cols))
        })
    }

    /// Row and column of each cell in the arrays below. Row 0 is on top of the picture; neighbouring rows of
    /// hexagons are shifted so that each has whole columns.
    #[getter]
    fn cells(&self) -> PyResult<BTreeMap<String, (usize, usize)>> {
        guarded(|| {
            let cells = self.inner().lattice().cells.into_iter();
            Ok(cells
                .map(|cell| (cell.name, (cell.row, cell.col)))
                .collect())
        })
    }

    /// The stones: 1 is White's, -1 Black's. All other entries are 0, also those outside the board.
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let Lattice { rows, cols, cells } = self.inner().lattice();
            let mut stones = vec![0u8; rows * cols];
            for cell in cells {
                stones[cell.row * cols + cell.col] = match cell.stone {
                    Some(Side::White) => 1,
                    // -1 as `int8`.
                    Some(Side::Black) => 255,
                    None => 0,
                };
            }
            array(py, &stones, "int8", &[rows, cols])
        })
    }

    /// Five planes for a network: stones of the side to move, stones of the other side, cells of the board, the
    /// cell where the last move ended, and a plane that is 1 where White is to move.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let Lattice { rows, cols, cells } = self.inner().lattice();
            let (size, turn) = (rows * cols, self.inner().to_move());
            let mut planes = vec![0u8; 5 * size];
            for cell in cells {
                let place = cell.row * cols + cell.col;
                match cell.stone {
                    Some(side) if side == turn => planes[place] = 1,
                    Some(_) => planes[size + place] = 1,
                    None => {}
                }
                planes[2 * size + place] = 1;
                planes[3 * size + place] = u8::from(cell.last);
            }
            planes[4 * size..].fill(u8::from(turn == Side::White));
            array(py, &planes, "float32", &[5, rows, cols])
        })
    }

    fn __str__(&self) -> PyResult<String> {
        guarded(|| Ok(self.inner().picture()))
    }

    fn __repr__(&self) -> PyResult<String> {
        guarded(|| {
            let inner = self.inner();
            let mut text = format!("Position({:?}", inner.game().name());
            let moves = inner.moves();
            if !moves.is_empty() {
                text += &format!(", moves={:?}", moves.join(" "));
            }
            if let Some(dialect) = inner.dialect() {
                text += &format!(", dialect={dialect:?}");
            }
            for (name, value) in inner.options() {
                text += &format!(", {}={value:?}", name.replace('-', "_"));
            }
            Ok(text + ")")
        })
    }

    fn __eq__(&self, other: Any<'_, '_>) -> bool {
        let other = other.cast::<Position>();
        other.is_ok_and(|other| self.inner().equals(other.get().inner()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner().game().hash(&mut hasher);
        self.inner().hash().hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (_memo))]
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// How to make it again, for `pickle`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inner = self.inner();
        let again = py.import("papamu._objects")?.getattr("_position")?;
        let arguments = (
            inner.game().name(),
            inner.options(),
            inner.dialect(),
            inner.moves(),
        );
        Ok((again, arguments).into_pyobject(py)?.into_any())
    }
}
