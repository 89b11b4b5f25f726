/** @jsxImportSource react */
import { type AnchorHTMLAttributes, createContext, useContext, useMemo, useSyncExternalStore } from "react";

/** Where a view is: folders below the page, decoded, and what stands behind the question mark. */
export interface ViewAddress {
  parts: readonly string[];
  query?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Router {
  parts: readonly string[];
  query: URLSearchParams;
  hrefOf(place: ViewAddress): string;
  go(place: ViewAddress, options?: { replaces?: boolean }): void;
}

/** Path of the page itself, without a slash at its end. */
const BaseContext = createContext("");
export const BaseProvider = BaseContext.Provider;

const MOVED = "treadle-moved";

/** The address as the page reads it; it can be opened, reloaded and shared. */
export function useRouter(): Router {
  const base = useContext(BaseContext);
  const address = useSyncExternalStore(onMove, () => window.location.pathname + window.location.search);
  return useMemo(() => {
    const { pathname, searchParams } = new URL(address, window.location.origin);
    const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
    const hrefOf = (place: ViewAddress) => base + pathOf(place);
    return {
      parts: below
        .split("/")
        .filter((part) => part !== "")
        .map(decoded),
      query: searchParams,
      hrefOf,
      go(place, { replaces = false } = {}) {
        window.history[replaces ? "replaceState" : "pushState"](null, "", hrefOf(place));
        window.dispatchEvent(new Event(MOVED));
        if (!replaces) window.scrollTo(0, 0);
      },
    };
  }, [base, address]);
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  to: ViewAddress;
}

/** A link to a view: the page stays, unless the reader asks for another tab. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const { hrefOf, go } = useRouter();
  return (
    <a
      {...rest}
      href={hrefOf(to)}
      onClick={(event) => {
        onClick?.(event);
        const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
        event.preventDefault();
        go(to);
      }}
    />
  );
}

function pathOf({ parts, query = {} }: ViewAddress): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) search.append(name, one);
  }
  const path = parts.map((part) => `/${encodeURIComponent(part)}`).join("");
  const text = search.toString();
  return (path === "" ? "/" : path) + (text === "" ? "" : `?${text}`);
}

function onMove(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(MOVED, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(MOVED, listener);
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
