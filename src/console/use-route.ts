import { useSyncExternalStore } from "react";

export interface Route {
  page: "home" | "run";
  runId: string | null;
}

/** The route that the fragment of the address names; it can be linked to, and the gateway never sees it. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(onHashChange, () => window.location.hash);
  const [, encoded] = /^#\/runs\/([^/]+)$/.exec(hash) ?? [];
  const runId = encoded === undefined ? null : decoded(encoded);
  return { page: runId === null ? "home" : "run", runId };
}

export function runHref(runId: string): string {
  return `#/runs/${encodeURIComponent(runId)}`;
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
