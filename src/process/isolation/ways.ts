import { hostExecutables, type TrustedExecutables } from "../trusted-executable.js";
import { bubblewrap } from "./bubblewrap.js";
import { type Confinement, type Isolation, innerShell } from "./isolation.js";
import { unshareWays } from "./unshare.js";

/**
 * What may confine a command on this host, best first. Whether one works is not known before it is
 * tried: kernels, containers and security modules forbid namespaces in ways of their own.
 */
export function isolationsFor(
  confinement: Confinement,
  host: { platform: NodeJS.Platform; executables: TrustedExecutables } = {
    platform: process.platform,
    executables: hostExecutables,
  },
): Isolation[] {
  const { platform, executables } = host;
  if (platform === "darwin") return sandboxExec(executables, confinement);
  if (platform !== "linux") return [];
  const bwrap = executables.find("bwrap");
  return [
    ...(bwrap === undefined ? [] : [bubblewrap(bwrap, confinement)]),
    ...unshareWays(executables, confinement),
  ];
}

function sandboxExec(executables: TrustedExecutables, confinement: Confinement): Isolation[] {
  const executable = executables.find("sandbox-exec");
  if (executable === undefined) return [];
  const { network, hidden, frozen } = confinement;
  const rules = [
    "(version 1)(allow default)",
    ...(network ? [] : ["(deny network*)"]),
    ...hidden.map((path) => `(deny file* (subpath ${JSON.stringify(path)}))`),
    ...frozen.map((path) => `(deny file-write* (literal ${JSON.stringify(path)}))`),
  ];
  return [{ tool: "sandbox-exec", argv: [executable, "-p", rules.join(""), ...innerShell(confinement)] }];
}
