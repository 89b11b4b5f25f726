import { useSyncExternalStore } from "react";
import { isRecord } from "../../util/is-record.js";
import { keepText, keptText } from "../parts/kept-text.js";
import { filtersOf, type RunFilters } from "./run-filters.js";

/** A list of runs to which the reader has given a name. */
export interface SavedView {
  name: string;
  filters: RunFilters;
}

const KEY = "treadle-run-views";
const MOST = 20;
const CHANGED = "treadle-views-changed";

/** The views that this browser keeps, and how to change them. */
export function useSavedViews(): {
  views: readonly SavedView[];
  save(view: SavedView): void;
  remove(name: string): void;
} {
  const views = parsed(useSyncExternalStore(onChange, () => keptText(KEY)));
  const put = (next: readonly SavedView[]) => {
    keepText(KEY, JSON.stringify(next.slice(-MOST)));
    window.dispatchEvent(new Event(CHANGED));
  };
  const others = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    save: (view) => put([...others(view.name), view]),
    remove: (name) => put(others(name)),
  };
}

export function isSame(a: RunFilters, b: RunFilters): boolean {
  return (Object.keys(a) as (keyof RunFilters)[]).every((name) => a[name] === b[name]);
}

/** Another version of the page, or another page of this origin, may have written it. */
function parsed(text: string): SavedView[] {
  let list: unknown;
  try {
    list = JSON.parse(text === "" ? "[]" : text);
  } catch {
    return [];
  }
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry["name"] !== "string" || !isRecord(entry["filters"])) return [];
    const texts = Object.entries(entry["filters"]).filter((pair): pair is [string, string] => {
      return typeof pair[1] === "string";
    });
    return [{ name: entry["name"], filters: filtersOf(new URLSearchParams(texts)) }];
  });
}

function onChange(listener: () => void): () => void {
  window.addEventListener("storage", listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("storage", listener);
    window.removeEventListener(CHANGED, listener);
  };
}
