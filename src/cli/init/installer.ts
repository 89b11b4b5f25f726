import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

interface InstallerWords {
  /** Files that it alone writes. */
  readonly lockfiles: readonly string[];
  readonly install: string;
  readonly test: string;
  /** In front of an installed command. */
  readonly run: string;
}

export const INSTALLERS = {
  npm: {
    lockfiles: ["package-lock.json", "npm-shrinkwrap.json"],
    install: "npm install",
    test: "npm test",
    run: "npx",
  },
  pnpm: {
    lockfiles: ["pnpm-lock.yaml", "pnpm-workspace.yaml"],
    install: "pnpm install",
    test: "pnpm test",
    run: "pnpm exec",
  },
  yarn: { lockfiles: ["yarn.lock"], install: "yarn install", test: "yarn test", run: "yarn" },
  bun: { lockfiles: ["bun.lock", "bun.lockb"], install: "bun install", test: "bun run test", run: "bunx" },
} as const satisfies Record<string, InstallerWords>;

export type Installer = keyof typeof INSTALLERS;

const NAMES = Object.keys(INSTALLERS) as Installer[];

/**
 * The user's package manager: the one whose lockfile lies in the folder of the project, or nearest
 * above it in the same repository, else the one that started this process, else npm.
 */
export function findInstaller(folder: string, environment: NodeJS.ProcessEnv): Installer {
  for (const at of ownFolders(folder)) {
    const found = NAMES.find((name) => INSTALLERS[name].lockfiles.some((file) => existsSync(join(at, file))));
    if (found !== undefined) return found;
  }
  return startedBy(environment) ?? "npm";
}

/** The package manager that has started this process, if one has. */
export function startedBy(environment: NodeJS.ProcessEnv): Installer | undefined {
  // npm/11.0.0 node/v22.0.0 linux x64
  const agent = environment.npm_config_user_agent?.split("/", 1)[0];
  return NAMES.find((name) => name === agent);
}

/** The folder and those above it up to the root of its repository: further up, a lockfile is another project's. */
function ownFolders(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) folders.push(at);
    if (existsSync(join(at, ".git"))) return folders;
    if (dirname(at) === at) return [folder];
  }
}
