import { openWorkspace } from "../../operations/index.js";
import type { CommandCall } from "../command.js";
import { localRuns } from "./local-runs.js";
import type { KnownRun, RunSource } from "./run-source.js";

/** The runs that a call is about: of a gateway if one was chosen, else of a database. @throws CLI_DB_NOT_FOUND */
export async function openRuns({ terminal, options }: CommandCall): Promise<RunSource> {
  const { gateway, db } = options;
  if (gateway === undefined) {
    return localRuns(await openWorkspace(terminal, { ...(db !== undefined && { db }), readOnly: true }));
  }
  const [{ openClient }, { gatewayRuns }] = await Promise.all([
    import("./open-client.js"),
    import("./gateway-runs.js"),
  ]);
  return gatewayRuns(await openClient(gateway, terminal));
}

/** The same, with the run that the first argument means. @throws RUN_NOT_FOUND, CLI_USAGE */
export async function openNamed(call: CommandCall): Promise<{ runs: RunSource; run: KnownRun }> {
  const runs = await openRuns(call);
  return { runs, run: await runs.find(call.args[0] as string) };
}

/** Reads runs, and releases the place they are in. */
export async function withRuns<T>(call: CommandCall, read: (runs: RunSource) => Promise<T>): Promise<T> {
  const runs = await openRuns(call);
  try {
    return await read(runs);
  } finally {
    await runs.close();
  }
}

/** The same of the run that the first argument means. @throws RUN_NOT_FOUND, CLI_USAGE */
export function withNamed<T>(
  call: CommandCall,
  read: (found: { runs: RunSource; run: KnownRun }) => Promise<T>,
): Promise<T> {
  return withRuns(call, async (runs) => read({ runs, run: await runs.find(call.args[0] as string) }));
}
