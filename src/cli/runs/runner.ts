import { existsSync } from "node:fs";
import { basename, delimiter, dirname, join, relative, sep } from "node:path";
import { shellWord } from "../../util/shell-word.js";
import { INSTALLERS, startedBy } from "../init/installer.js";

/** How this process was started. */
export interface Start {
  /** `process.argv[1]`: the link of the command, or the file behind it. */
  script: string;
  environment: NodeJS.ProcessEnv;
  cwd: string;
}

/**
 * The words in front of a command's name: `npx treadle` and its kin, `treadle` where a shell finds it,
 * else the path of the command.
 */
export function runnerOf({ script, environment, cwd }: Start): string {
  const manager = startedBy(environment);
  if (manager !== undefined) return `${INSTALLERS[manager].run} treadle`;
  const folders = (environment.PATH ?? "").split(delimiter);
  if (folders.some((folder) => folder !== "" && existsSync(join(folder, "treadle")))) return "treadle";
  const link = basename(script) === "treadle" ? script : linkAbove(script, cwd);
  return link === undefined ? `node ${pathFrom(cwd, script)}` : pathFrom(cwd, link);
}

/** pnpm starts the file of an installed package by a script of its own, which leaves no trace. */
function linkAbove(script: string, cwd: string): string | undefined {
  if (!script.includes(`${sep}node_modules${sep}`)) return undefined;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const link = join(folder, "node_modules", ".bin", "treadle");
    if (existsSync(link)) return link;
    if (dirname(folder) === folder) return undefined;
  }
}

function pathFrom(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return shellWord(way.startsWith("..") ? path : `.${sep}${way}`);
}
