import { hostExecutables, type TrustedExecutables } from "../trusted-executable.js";
import { makeHideable } from "../workspace-state.js";
import { bubblewrap, bubblewrapCover } from "./bubblewrap.js";
import { type Confinement, type Isolation, innerShell } from "./isolation.js";
import { unshareCover, unshareWays } from "./unshare.js";

/** Where a command is to run. */
export interface Host {
  readonly platform: NodeJS.Platform;
  readonly executables: TrustedExecutables;
}

/**
 * Ways to confine a command on this host, best first. Whether one works is not known before it is
 * tried: kernels, containers and security modules forbid namespaces in ways of their own.
 */
export function isolationsFor(
  confinement: Confinement,
  host: Host = { platform: process.platform, executables: hostExecutables },
): Isolation[] {
  const { platform, executables } = host;
  if (platform === "darwin") return sandboxExec(executables, confinement);
  if (platform !== "linux") return [];
  makeHideable(confinement.hidden);
  const bwrap = executables.find("bwrap");
  return [
    ...(bwrap === undefined ? [] : [bubblewrap(bwrap, confinement)]),
    ...unshareWays(executables, confinement),
  ];
}

/**
 * Ways to keep `hidden` from a command on this host, and nothing else from it, best first: it has the
 * network, all other files, its process id and its place in the process tree.
 */
export function coversFor(
  hidden: readonly string[],
  host: Host = { platform: process.platform, executables: hostExecutables },
): Isolation[] {
  const { platform, executables } = host;
  if (platform === "darwin") {
    const executable = executables.find("sandbox-exec");
    const profile = ["(version 1)(allow default)", ...denied(hidden)].join("");
    return executable === undefined ? [] : [{ tool: "sandbox-exec", argv: [executable, "-p", profile] }];
  }
  if (platform !== "linux") return [];
  makeHideable(hidden);
  const bwrap = executables.find("bwrap");
  return [
    ...unshareCover(executables, hidden),
    ...(bwrap === undefined ? [] : [bubblewrapCover(bwrap, hidden)]),
  ];
}

function sandboxExec(executables: TrustedExecutables, confinement: Confinement): Isolation[] {
  const executable = executables.find("sandbox-exec");
  if (executable === undefined) return [];
  const { network, hidden, frozen } = confinement;
  const rules = [
    "(version 1)(allow default)",
    ...(network ? [] : ["(deny network*)"]),
    ...denied(hidden),
    ...frozen.map((path) => `(deny file-write* (literal ${JSON.stringify(path)}))`),
  ];
  return [{ tool: "sandbox-exec", argv: [executable, "-p", rules.join(""), ...innerShell(confinement)] }];
}

function denied(hidden: readonly string[]): string[] {
  return hidden.map((path) => `(deny file* (subpath ${JSON.stringify(path)}))`);
}
