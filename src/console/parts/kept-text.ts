type Place = "localStorage" | "sessionStorage";

/** What this browser keeps under a name, `sessionStorage` for this tab alone; empty where there is nothing, or no storage. */
export function keptText(name: string, place: Place = "localStorage"): string {
  try {
    return window[place].getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** An empty text is not kept. A browser may give the page no storage: what was chosen holds until the page is left. */
export function keepText(name: string, text: string, place: Place = "localStorage"): void {
  try {
    if (text === "") window[place].removeItem(name);
    else window[place].setItem(name, text);
  } catch {
    // As said above.
  }
}
