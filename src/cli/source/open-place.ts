import { openWorkspace } from "../../operations/index.js";
import type { CommandCall } from "../command.js";
import { localPlace } from "./local-place.js";
import type { KnownRun, Place } from "./place.js";

interface Access {
  /** Only looked at, as for `--dry-run`. @default true */
  readOnly?: boolean;
}

/** The place that a call is about: a gateway if one was chosen, else a database. @throws CLI_DB_NOT_FOUND, TASK_MAY_NOT_DECIDE */
export async function openPlace(
  { terminal, options }: CommandCall,
  { readOnly = true }: Access = {},
): Promise<Place> {
  const { gateway, db } = options;
  if (gateway === undefined) {
    return localPlace(await openWorkspace(terminal, { ...(db !== undefined && { db }), readOnly }), terminal);
  }
  const [{ openClient }, { gatewayPlace }, { refuseMarkedTask }] = await Promise.all([
    import("./open-client.js"),
    import("./gateway-place.js"),
    import("../../operations/workspace/outside-tasks.js"),
  ]);
  if (!readOnly) refuseMarkedTask(terminal);
  return gatewayPlace(await openClient(gateway, terminal));
}

/** The same, with the run that the first argument means. @throws RUN_NOT_FOUND, CLI_USAGE */
export async function openNamed(
  call: CommandCall,
  access?: Access,
): Promise<{ place: Place; run: KnownRun }> {
  const place = await openPlace(call, access);
  return { place, run: await place.find(call.args[0] as string) };
}

/** Reads in the place, and releases it. */
export async function withPlace<T>(call: CommandCall, read: (place: Place) => Promise<T>): Promise<T> {
  const place = await openPlace(call);
  try {
    return await read(place);
  } finally {
    await place.close();
  }
}

/** The same of the run that the first argument means. @throws RUN_NOT_FOUND, CLI_USAGE */
export function withNamed<T>(
  call: CommandCall,
  read: (found: { place: Place; run: KnownRun }) => Promise<T>,
): Promise<T> {
  return withPlace(call, async (place) => read({ place, run: await place.find(call.args[0] as string) }));
}
