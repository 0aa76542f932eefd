// Runs before anything is painted: the colours that somebody chose, and nothing of the page that is drawn already where
// the address asks for another one.
document.documentElement.style.colorScheme = localStorage.getItem("papamu-colours") ?? "light dark";
if (!["", "#", "#/", "#/play"].includes(location.hash)) document.documentElement.dataset.asked = "another";
