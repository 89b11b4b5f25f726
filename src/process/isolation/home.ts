import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";

/** Settings and tool chains in a home folder that commands need, and that hold no credentials. */
const HARMLESS = [
  ".gitconfig",
  ".config/git",
  ".rustup",
  ".cargo/bin",
  ".pyenv",
  ".rbenv",
  ".nvm",
  ".volta",
  ".asdf",
  ".sdkman",
  ".bun",
  ".deno",
  ".local/bin",
  ".local/lib",
  ".local/share/pipx",
  ".local/share/uv",
  ".local/share/mise",
];

/** The home folder, and what of it a confined command may read. */
export interface Home {
  /** Real path; undefined when there is none to hide. */
  readonly folder: string | undefined;
  readonly readable: readonly string[];
}

/** Everything else of a home folder is none of a command's business: keys, tokens, histories, other projects. */
export function homeOf(env: Readonly<Record<string, string>>): Home {
  const home = realPath(env["HOME"]);
  if (home === undefined || dirname(home) === home) return { folder: undefined, readable: [] };
  const programs = (env["PATH"] ?? "").split(delimiter).map((folder) => installationOf(folder, home));
  const named = [env["NVM_DIR"], env["JAVA_HOME"], ...programs, ...HARMLESS.map((name) => join(home, name))];
  const readable = named.map(realPath).filter((path) => path?.startsWith(`${home}/`) === true) as string[];
  return { folder: home, readable: [...new Set(readable)] };
}

/** A `bin` folder needs what was installed with it, unless it is one of those that many programs share. */
function installationOf(folder: string, home: string): string | undefined {
  const real = realPath(folder);
  if (real === undefined) return undefined;
  const parent = dirname(real);
  const isShared = parent === home || [".local", ".cargo"].includes(basename(parent));
  return basename(real) === "bin" && !isShared ? parent : real;
}

function realPath(path: string | undefined): string | undefined {
  if (path === undefined || !isAbsolute(path) || !existsSync(path)) return undefined;
  return realpathSync(path);
}
