import { useSyncExternalStore } from "react";
import { keepText, keptText } from "../parts/kept-text.js";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "treadle-theme";
const listeners = new Set<() => void>();

function stored(): Theme {
  const value = keptText(STORED);
  return THEMES.find((theme) => theme === value) ?? "system";
}

export function applyTheme(theme: Theme = stored()): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  for (const listener of listeners) listener();
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, () => chosen());
  return [theme, choose];
}

/** As the page shows it: a browser may give it no storage, then a choice holds until the page is left. */
function chosen(): Theme {
  const theme = document.documentElement.dataset["theme"];
  return THEMES.find((name) => name === theme) ?? "system";
}

function choose(theme: Theme): void {
  keepText(STORED, theme);
  applyTheme(theme);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
