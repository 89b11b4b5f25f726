import { tmpdir } from "node:os";
import { isolations } from "../../../src/tools/process/isolation.js";
import { runCommand } from "../../../src/tools/process/run-command.js";

const tried = await Promise.all(
  isolations().map(async (isolation) => {
    const { began } = await runCommand({
      argv: ["true"],
      isolation,
      cwd: tmpdir(),
      env: {},
      signal: new AbortController().signal,
      maxOutputBytes: 1_000,
    });
    return began ? [isolation] : [];
  }),
);

/** The ways of isolation that this host permits; containers often permit none. */
export const permittedIsolations = tried.flat();

/** With the network, and without it where the host can cut it off. */
export const networks = [
  { allowNetwork: true },
  ...(permittedIsolations.length > 0 ? [{ allowNetwork: false }] : []),
];
