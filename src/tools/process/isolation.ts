import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { INNER_SCRIPT, LOOPBACK_SCRIPT } from "./child-script.js";

/** A command line to put before a command, so that it runs without the network. */
export interface Isolation {
  readonly tool: string;
  readonly argv: readonly string[];
}

const MACOS_PROFILE = "(version 1)(allow default)(deny network*)";

/** Where system tools are, beside the engine's own PATH. */
const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/**
 * What may isolate a command on this host, best first. Whether one works is not
 * known before it is tried: kernels, containers and security modules forbid
 * namespaces in ways of their own.
 */
export function isolations(
  platform: NodeJS.Platform = process.platform,
  path = process.env["PATH"],
): Isolation[] {
  const find = (tool: string) => findExecutable(tool, path);
  const wrap = (tool: string, options: string[], script: string): Isolation[] => {
    const executable = find(tool);
    return executable === undefined
      ? []
      : [{ tool, argv: [executable, ...options, "/bin/sh", "-c", script, "sh"] }];
  };
  if (platform === "darwin") return wrap("sandbox-exec", ["-p", MACOS_PROFILE], INNER_SCRIPT);
  if (platform !== "linux") return [];
  const namespaces = ["--net", "--pid", "--fork", "--kill-child"];
  return [
    ...wrap(
      "bwrap",
      // A user namespace also for root: outside of one it could enter the network namespace of another process.
      ["--unshare-user", "--unshare-net", "--unshare-pid", "--die-with-parent", "--cap-drop", "ALL"].concat([
        "--dev-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--",
      ]),
      INNER_SCRIPT,
    ),
    // Keeps the user's name, and the capability to bring the loopback interface up.
    ...wrap(
      "unshare",
      ["--map-current-user", "--keep-caps", ...namespaces, "--mount-proc", "--"],
      LOOPBACK_SCRIPT,
    ),
    // Older tools, and containers that do not let a new /proc be mounted.
    ...wrap("unshare", ["--map-root-user", ...namespaces, "--"], LOOPBACK_SCRIPT),
  ];
}

/** The absolute path of a command. Relative members of PATH are not searched. */
export function findExecutable(name: string, path = process.env["PATH"]): string | undefined {
  const folders = (path ?? "").split(delimiter).filter(isAbsolute);
  return [...folders, ...SYSTEM_FOLDERS]
    .map((folder) => join(folder, name))
    .find((candidate) => {
      try {
        accessSync(candidate, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
