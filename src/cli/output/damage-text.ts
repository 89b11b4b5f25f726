import type { DamagedRun } from "../../operations/index.js";
import type { Colors } from "./styles.js";
import { oneLine } from "./table.js";

/** A line for each run that cannot be read. */
export function damageLines(damaged: readonly DamagedRun[] | undefined, colors: Colors): string[] {
  return (damaged ?? []).map(({ runId, damage }) =>
    colors.red(oneLine(`✗ ${runId} cannot be read: ${damage.message}`, 300)),
  );
}
