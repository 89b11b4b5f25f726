import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type PackedPackage, ROOT } from "./pack.js";

const MODULES = join(ROOT, "node_modules");

/** Names in the repository's node_modules of what a project installs beside the package. */
export interface PeerVersions {
  /** @default "zod", the newest */
  zod?: "zod" | "zod-oldest";
  /** @default "react", the newest */
  react?: "react" | "react-oldest";
  /** Further packages of the repository. @default none */
  more?: readonly string[];
}

/** A folder with the packed package installed, with the settings of new projects. Nothing is downloaded. */
export class PackedProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "treadle-user-")));

  constructor({ tarball }: PackedPackage, { zod = "zod", react = "react", more = [] }: PeerVersions = {}) {
    const modules = join(this.folder, "node_modules");
    mkdirSync(join(modules, "treadle"), { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", join(modules, "treadle"), "--strip-components=1"]);
    // What must exist once is copied: a link would find the repository's own React and zod beside it.
    const copies = {
      zod,
      react,
      "react-reconciler": "react-reconciler",
      scheduler: "scheduler",
      ...(more.includes("react-dom") && { "react-dom": "react-dom" }),
    };
    for (const [name, from] of Object.entries(copies)) {
      cpSync(join(MODULES, from), join(modules, name), { recursive: true });
    }
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const tools = ["typescript", "tsx", "@types/node", "undici-types"];
    for (const name of [...Object.keys(dependencies), ...tools, ...more]) {
      if (name in copies) continue;
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(MODULES, name), join(modules, name));
    }
    mkdirSync(join(modules, ".bin"));
    const commands = {
      treadle: "treadle/dist/src/cli/main.js",
      tsx: "tsx/dist/cli.mjs",
      tsc: "typescript/bin/tsc",
    };
    for (const [name, path] of Object.entries(commands)) {
      symlinkSync(join("..", path), join(modules, ".bin", name));
    }
    this.write("package.json", JSON.stringify({ name: "user", type: "module", private: true }));
    this.write("tsconfig.json", readFileSync(join(ROOT, "templates/base/tsconfig.json"), "utf8"));
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  /** Copies a package of the repository to a place in the project. */
  copyInto(name: string, path: string): void {
    cpSync(join(MODULES, name), this.path(path), { recursive: true });
  }

  /** What the compiler says about the project and all declarations; empty when it has nothing to say. */
  compile(
    compiler: "typescript" | "typescript-5" = "typescript",
    args: readonly string[] = ["--skipLibCheck", "false"],
  ): string {
    const tsc = join(MODULES, compiler, "bin", "tsc");
    // With more than one, checkers do the same work several times.
    const checkers = compiler === "typescript" ? ["--checkers", "1"] : [];
    const { stdout } = spawnSync(process.execPath, [tsc, "--pretty", "false", ...checkers, ...args], {
      cwd: this.folder,
      encoding: "utf8",
    });
    return stdout;
  }

  /**
   * Runs a shell command with the project's commands on the path, in a folder below the project.
   * @returns its exit code and what it said
   */
  shell(command: string, below = "."): { status: number | null; output: string } {
    const PATH = `${this.path("node_modules/.bin")}:${process.env.PATH}`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command], {
      cwd: this.path(below),
      env: { ...process.env, PATH, TMPDIR: this.folder },
      encoding: "utf8",
    });
    return { status, output: `${stdout}${stderr}` };
  }

  /** Runs a module of the project with Node. @throws Error with what it wrote to stderr */
  node(args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}:\n${stderr}`);
    return stdout;
  }

  /** Runs the installed command. @throws Error with what it wrote to stderr */
  treadle(...args: string[]): string {
    return this.node([this.path("node_modules/treadle/dist/src/cli/main.js"), ...args]);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
