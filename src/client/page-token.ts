/** The key of the token in a tab's storage: it is gone when the tab is closed. */
const STORED = "treadle-token";

/** The part of a browser's tab that is needed here. */
interface Tab {
  sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  location: { hash: string; pathname: string; search: string };
  history: { state: unknown; replaceState(state: unknown, unused: string, url: string): void };
}

/** The tab that this code runs in; undefined outside of browsers, and in those that give pages no storage. */
function tab(): Tab | undefined {
  try {
    const { sessionStorage, location, history } = globalThis as Partial<Tab>;
    if (sessionStorage === undefined || location === undefined || history === undefined) return undefined;
    return { sessionStorage, location, history };
  } catch {
    return undefined;
  }
}

/**
 * The token of a page of the gateway: what its link brought behind `#token=`, which is taken out of the address at
 * once, or what the tab has kept since. A fragment is sent to no server.
 */
export function pageToken(): string | undefined {
  const own = tab();
  if (own === undefined) return undefined;
  const { sessionStorage, location, history } = own;
  const brought = new URLSearchParams(location.hash.slice(1)).get("token");
  if (brought !== null && brought !== "") {
    history.replaceState(history.state, "", location.pathname + location.search);
    sessionStorage.setItem(STORED, brought);
  }
  return sessionStorage.getItem(STORED) ?? undefined;
}

/** Keeps a token for this tab; null: forgets it. */
export function keepPageToken(token: string | null): void {
  const storage = tab()?.sessionStorage;
  if (token === null) storage?.removeItem(STORED);
  else storage?.setItem(STORED, token);
}
