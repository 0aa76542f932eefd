// Runs before anything is painted, in any browser: hence the old JavaScript. It shows nothing of the page that is drawn already
// where the address asks for another one, or a game was begun before, takes the colours that somebody chose, and tells an old
// browser what it lacks.
(function () {
  var root = document.documentElement;
  function kept(name) {
    try {
      return localStorage.getItem(name);
    } catch (refused) {
      return null;
    }
  }
  if (["", "#", "#/", "#/play"].indexOf(location.hash) < 0 || kept("papamu-game") != null) root.setAttribute("data-asked", "another");
  root.setAttribute("data-colours", kept("papamu-colours") || "light dark");

  // A function that returns a vector of zeros.
  var VECTORS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
  var lacks = [];
  if (!("noModule" in HTMLScriptElement.prototype)) lacks.push("modules");
  if (!Array.prototype.toSorted) lacks.push("JavaScript of 2023");
  if (!("popover" in HTMLElement.prototype)) lacks.push("popovers");
  // The program itself is in the page that names it.
  if (root.hasAttribute("data-program")) {
    if (typeof WebAssembly !== "object") lacks.push("WebAssembly");
    else if (!WebAssembly.validate(new Uint8Array(VECTORS))) lacks.push("vectors in WebAssembly");
  }
  if (lacks.length === 0) return;
  document.addEventListener("DOMContentLoaded", function () {
    var told = document.createElement("p");
    told.setAttribute("role", "alert");
    told.textContent = "This browser lacks what Papamu needs: " + lacks.join(", ") + ". A browser of May 2024 or later has it.";
    told.style.cssText = "margin: 0; padding: 1em; background: #7a1f1f; color: #fff";
    document.body.insertBefore(told, document.body.firstChild);
  });
})();
