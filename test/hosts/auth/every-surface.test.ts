import { describe, expect, it } from "vitest";
import {
  CASES,
  type Credentials,
  type Case,
  jwtKit,
  type Kit,
  proxyKit,
  tokenKit,
} from "./support/credentials.js";
import { gatewaySurfaces } from "./support/gateway-surfaces.js";
import { SERVER_CREDENTIALS, serveAppSurfaces, serverSurfaces } from "./support/server-surfaces.js";
import { SECRET, type Surface } from "./support/surface.js";

/** Tries every case on every surface; those that are let in come last, because they change something. */
async function tryAll(
  surfaces: readonly Surface[],
  credentials: Partial<Record<Case, Credentials>>,
): Promise<void> {
  for (const name of CASES) {
    const sent = credentials[name];
    if (sent === undefined) continue;
    for (const surface of surfaces) {
      const { status, received } = await surface.attempt(sent);
      const expected = surface.statuses[name];
      expect({ surface: surface.name, case: name, status }).toEqual({
        surface: surface.name,
        case: name,
        status: expected,
      });
      const isKnown = name === "right" || name === "wrong scope";
      if (!isKnown || [401, 403, 4401].includes(expected)) expect(received).not.toContain(SECRET);
    }
  }
}

const KITS: readonly [name: string, make: () => Kit | Promise<Kit>][] = [
  ["tokens", tokenKit],
  ["JSON Web Tokens", jwtKit],
  ["a trusted proxy", proxyKit],
];

describe("every surface lets in only callers who may", () => {
  it.each(KITS)("of a gateway with %s", async (_name, make) => {
    const kit = await make();
    await tryAll(await gatewaySurfaces(kit), kit.credentials);
  });

  it("of a server", async () => {
    await tryAll(await serverSurfaces(), SERVER_CREDENTIALS);
  });

  it("of the app of one run", async () => {
    await tryAll(await serveAppSurfaces(), SERVER_CREDENTIALS);
  });
});
