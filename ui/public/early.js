// Runs before anything is painted: shows nothing of the page that is drawn already where the address asks for another one,
// or a game was begun before, and takes the colours that somebody chose.
{
  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const { dataset } = document.documentElement;
  if (!["", "#", "#/", "#/play"].includes(location.hash) || kept("papamu-game") != null) dataset.asked = "another";
  dataset.colours = kept("papamu-colours") ?? "light dark";
}
