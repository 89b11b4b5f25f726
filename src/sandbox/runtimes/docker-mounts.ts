import { realpathSync } from "node:fs";
import type { SandboxRequest } from "../../model/sandbox-provider.js";
import { EGRESS_INSIDE } from "../egress/open-egress.js";
import { PORTS_INSIDE } from "../ports/inside-ports.js";
import { type Openings, RESULT_INSIDE } from "./inside-process.js";
import { installedIn, modulesAround, ownCode, refuseMeeting } from "./shown-code.js";

/** Where this machine's Node stands inside: an image need not have one, and has another one than the library was installed for. */
export const NODE_INSIDE = "/run/treadle-node";

/** What every container has of its own. */
const TAKEN = ["/proc", "/sys", "/dev", NODE_INSIDE];

export interface BoundPath {
  readonly host: string;
  readonly container: string;
  readonly readonly: boolean;
}

/** What of the host a container sees. */
export function boundPaths(request: SandboxRequest, { egress, ports }: Openings): BoundPath[] {
  const { rootDir, workspacePath, resultBundlePath, modules, volumes } = request;
  const asItIs = (path: string): BoundPath => ({ host: path, container: path, readonly: true });
  const node = realpathSync(process.execPath);
  const list = [
    { host: workspacePath, container: rootDir, readonly: false },
    { host: resultBundlePath, container: RESULT_INSIDE, readonly: false },
    ...ownCode()
      .filter((path) => path !== node)
      .map(asItIs),
    ...installedIn(rootDir, workspacePath).map(asItIs),
    ...modulesAround(modules, rootDir).map(asItIs),
  ];
  if (egress !== undefined) list.push({ host: egress.folder, container: EGRESS_INSIDE, readonly: true });
  if (ports !== undefined) list.push({ host: ports.folder, container: PORTS_INSIDE, readonly: true });
  for (const volume of volumes) {
    refuseMeeting(volume.container, [...TAKEN, ...list.map(({ container }) => container)]);
    list.push(volume);
  }
  list.push({ host: node, container: NODE_INSIDE, readonly: true });
  return [...new Map(list.map((each) => [each.container, each])).values()];
}

/**
 * As an argument of `--mount`: CSV.
 * @param readonlyFields of a mount that is not to be changed
 */
export function mountArgument(
  { host, container, readonly }: BoundPath,
  readonlyFields: readonly string[],
): string {
  const fields = ["type=bind", `source=${host}`, `target=${container}`, ...(readonly ? readonlyFields : [])];
  return fields.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}
