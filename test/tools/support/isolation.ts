import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Confinement, Isolation } from "../../../src/process/isolation/isolation.js";
import { isolationsFor } from "../../../src/process/isolation/ways.js";
import { childEnvironment } from "../../../src/tools/process/child-environment.js";
import { runCommand } from "../../../src/tools/process/run-command.js";

/** A confinement to a folder, with the limits that tools have by default. */
export function confinedTo(root: string, changes: Partial<Confinement> = {}): Confinement {
  const network = changes.network ?? false;
  return {
    network,
    root,
    cwd: root,
    env: childEnvironment({}, network),
    hidden: [],
    frozen: [],
    maxMemoryBytes: 8 * 1_024 ** 3,
    maxProcesses: 1_024,
    ...changes,
  };
}

const here = realpathSync(tmpdir());
const tried = await Promise.all(
  isolationsFor(confinedTo(here)).map(async (isolation, index) => {
    const { began } = await runCommand({
      argv: ["true"],
      isolation,
      cwd: here,
      env: {},
      signal: new AbortController().signal,
      maxOutputBytes: 1_000,
    });
    return began ? [{ index, tool: isolation.tool }] : [];
  }),
);

/** The ways of isolation that this host permits; containers often permit none. */
const permitted = tried.flat();
export const isIsolationPermitted = permitted.length > 0;
export const isBubblewrapPermitted = permitted.some(({ tool }) => tool === "bwrap");

/** Those ways, for a confinement. */
export function permittedWays(confinement: Confinement): Isolation[] {
  const ways = isolationsFor(confinement);
  return permitted.map(({ index }) => ways[index] as Isolation);
}

/** The one with bubblewrap. */
export function bubblewrapWay(confinement: Confinement): Isolation {
  return permittedWays(confinement).find(({ tool }) => tool === "bwrap") as Isolation;
}

/** Every manner in which this host runs commands: confined with and without the network, and as they are. */
export const networks = [
  { allowNetwork: true, toolIsolation: "none" as const },
  ...(isIsolationPermitted ? [{ allowNetwork: true }, { allowNetwork: false }] : []),
];

/** For tests about something else than isolation: the network, on whatever host. */
export const openNetwork = isIsolationPermitted
  ? ({ allowNetwork: true } as const)
  : ({ allowNetwork: true, toolIsolation: "none" } as const);
