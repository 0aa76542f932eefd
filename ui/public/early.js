// Runs before anything is painted: shows nothing of the page that is drawn already where the address asks for another one,
// and takes the colours that somebody chose.
if (!["", "#", "#/", "#/play"].includes(location.hash)) document.documentElement.dataset.asked = "another";
document.documentElement.dataset.colours = localStorage.getItem("papamu-colours") ?? "light dark";
