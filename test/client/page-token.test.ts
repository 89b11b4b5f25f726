import { afterEach, expect, it, vi } from "vitest";
import { keepPageToken, pageToken } from "../../src/client/page-token.js";
import { createClient } from "../../src/client/index.js";

afterEach(() => vi.unstubAllGlobals());

/** What a browser gives a page at an address. */
function openTab(hash: string) {
  const stored = new Map<string, string>();
  const addresses: string[] = [];
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  const origin = "http://127.0.0.1:7331";
  const location = { hash, pathname: "/console/", search: "?a=1", origin, href: `${origin}/console/?a=1` };
  vi.stubGlobal("location", location);
  vi.stubGlobal("history", {
    state: null,
    replaceState(_state: unknown, _unused: string, url: string) {
      location.hash = "";
      addresses.push(url);
    },
  });
  return addresses;
}

it("is what the link has brought, taken out of the address at once and kept for the tab", () => {
  const addresses = openTab("#token=secret");
  expect(pageToken()).toBe("secret");
  expect(addresses).toEqual(["/console/?a=1"]);
  expect(pageToken()).toBe("secret");
  expect(addresses).toHaveLength(1);
});

it.each(["", "#", "#token=", "#runs/1"])("is none where the address brings none: %j", (hash) => {
  const addresses = openTab(hash);
  expect(pageToken()).toBeUndefined();
  expect(addresses).toEqual([]);
});

it("is another one once another is given, and none once it is forgotten", () => {
  openTab("#token=old");
  keepPageToken("new");
  openTab("");
  keepPageToken("new");
  expect(pageToken()).toBe("new");
  keepPageToken(null);
  expect(pageToken()).toBeUndefined();
});

it("is what a client of the page's own gateway sends, and no client of another one", async () => {
  openTab("#token=secret");
  const sent: (string | null)[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    sent.push(new Headers(init?.headers).get("authorization"));
    return Response.json({ runs: [] });
  };
  await createClient({ fetch }).listRuns();
  await createClient({ fetch, url: "http://127.0.0.1:9999" }).listRuns();
  expect(sent).toEqual(["Bearer secret", null]);
});

it("is none outside of browsers", () => {
  expect(pageToken()).toBeUndefined();
});
