import { ServiceError } from "../../errors/service-error.js";
import { ownerLiveness } from "../../process/owner.js";
import { type CommandResult, runCommand } from "../../tools/process/run-command.js";
import { builtin } from "../../util/builtin.js";

/** Names the process that a container was started by. */
export const OWNER_LABEL = "treadle.owner";
/** For a question to the engine, milliseconds. */
const ANSWER_MS = 30_000;
const MOST_ANSWER_BYTES = 1024 * 1024;
/** The first version, of engine and program, that can keep from being changed what is mounted below a read-only folder. */
const RECURSIVE_SINCE = 25;

/** What of an engine the command line depends on. */
export interface EngineFacts {
  /** Fields of a read-only mount: what is mounted below would be writable otherwise. */
  readonly readonlyFields: readonly string[];
  /** User and group numbers inside that are this process's user outside. */
  readonly user: string;
  /** Flags that this engine needs beside. */
  readonly flags: readonly string[];
  readonly processors: number;
}

/** The engine of containers behind one `docker` program. */
export class DockerEngine {
  readonly #docker: string;

  constructor(docker: string) {
    this.#docker = docker;
  }

  get program(): string {
    return this.#docker;
  }

  /** @throws SANDBOX_EXECUTION_FAILED when it does not answer, or cannot hold a sandbox */
  async facts(): Promise<EngineFacts> {
    const [{ exitCode, output }, { output: versions }] = await Promise.all([
      this.#ask(["info", "--format", "{{json .}}"]),
      this.#ask(["version"]),
    ]);
    if (/podman engine/i.test(versions)) throw ofPodman();
    const info = exitCode === 0 ? parsed(output) : undefined;
    if (info === undefined) throw noAnswer(output);
    const { OSType, SecurityOptions, ServerVersion, NCPU, ClientInfo } = info;
    if (OSType !== "linux")
      throw dockerRefused(`its engine runs containers of ${String(OSType)}, and a sandbox needs Linux`);
    const options = Array.isArray(SecurityOptions) ? SecurityOptions.map(String) : [];
    const has = (name: string) => options.some((option) => option.split(",").includes(`name=${name}`));
    return {
      readonlyFields: readonlyFields(
        ServerVersion,
        (ClientInfo as { Version?: unknown } | undefined)?.Version,
      ),
      user: has("rootless") ? "0:0" : outsideUser(),
      // Users inside are others outside there, and could not write to the sandbox's files.
      flags: has("userns") ? ["--userns", "host"] : [],
      processors: Number(NCPU) > 0 ? Number(NCPU) : 1,
    };
  }

  /** Removes a container, whatever it does; one that is gone is no failure. */
  async remove(name: string): Promise<void> {
    await this.#ask(["rm", "--force", "--volumes", name]).catch(() => undefined);
  }

  /** Removes the containers of processes of this machine that are dead. */
  async removeOfTheDead(): Promise<void> {
    const format = `{{.ID}} {{.Label "${OWNER_LABEL}"}}`;
    const { output } = await this.#ask([
      "ps",
      "--all",
      "--filter",
      `label=${OWNER_LABEL}`,
      "--format",
      format,
    ]);
    for (const line of output.split("\n")) {
      const [id = "", owner = ""] = line.split(" ");
      if (/^[0-9a-f]+$/.test(id) && owner !== "" && ownerLiveness(owner) === "dead") await this.remove(id);
    }
  }

  /**
   * Removes a container when this process dies, however it does: a process of its own waits for that.
   * @returns what ends it when the container is gone
   */
  guard(name: string): () => void {
    const script = `
      trap '' TERM INT HUP
      read -r _ && exit
      for round in 1 2 3 4 5 6 7 8 9 10; do
        "$1" rm --force --volumes "$2"
        sleep 0.5
      done`;
    const child = builtin("node:child_process").spawn("/bin/sh", ["-c", script, "sh", this.#docker, name], {
      cwd: "/",
      env: dockerEnvironment(),
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    // Without it the next sandbox of this machine removes what is left.
    child.on("error", () => undefined);
    child.stdin.on("error", () => undefined);
    child.unref();
    return () => child.stdin.end("done\n");
  }

  #ask(args: readonly string[]): Promise<CommandResult> {
    return runCommand({
      argv: [this.#docker, ...args],
      cwd: "/",
      env: dockerEnvironment(),
      signal: AbortSignal.timeout(ANSWER_MS),
      maxOutputBytes: MOST_ANSWER_BYTES,
    });
  }
}

/** What the program needs to find its engine. */
export function dockerEnvironment(): Record<string, string> {
  const kept = /^(?:PATH|HOME|XDG_RUNTIME_DIR|XDG_CONFIG_HOME|DOCKER_.*)$/;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => kept.test(entry[0]) && entry[1] !== undefined,
    ),
  );
}

/** Root's own work is done by one who owns nothing. */
const OWNER_OF_NOTHING = "65534:65534";

function outsideUser(): string {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return uid === 0 ? OWNER_OF_NOTHING : `${uid}:${gid}`;
}

/** Of an engine that would leave it writable, what is mounted below is not shown. */
function readonlyFields(engine: unknown, program: unknown): readonly string[] {
  const [isNewEngine, isNewProgram] = [engine, program].map(
    (version) => Number.parseInt(String(version), 10) >= RECURSIVE_SINCE,
  );
  if (isNewEngine) return ["readonly"];
  return ["readonly", isNewProgram ? "bind-recursive=disabled" : "bind-nonrecursive=true"];
}

/** The engine may write a warning before the answer. */
function parsed(output: string): Record<string, unknown> | undefined {
  const line = output.split("\n").find((each) => each.startsWith("{"));
  try {
    const info = JSON.parse(line ?? "") as Record<string, unknown>;
    // Of an engine that is not there the program tells what it knows itself.
    return info["ServerVersion"] === undefined || info["ServerVersion"] === "" ? undefined : info;
  } catch {
    return undefined;
  }
}

export function dockerMissing(): ServiceError {
  return dockerRefused(
    "`docker` (of root's own, in a system folder) is not here: install Docker Engine, or name another runtime",
  );
}

/** Its program and its service take the same words for other things: what they leave out would be found out by what escapes. */
function ofPodman(): ServiceError {
  return dockerRefused(
    "what answers is Podman, which does not have all of the flags that confine a sandbox: install Docker Engine, let DOCKER_HOST lead to it, or take the runtime bubblewrap",
  );
}

function noAnswer(output: string): ServiceError {
  const said = output.trim().split("\n").at(-1)?.slice(0, 500) ?? "";
  return dockerRefused(
    `its engine does not answer (${said || "no reason given"}): start it (\`systemctl start docker\`), and let this user reach it (group docker, or DOCKER_HOST)`,
  );
}

export function dockerRefused(why: string): ServiceError {
  return new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The runtime "docker" cannot hold the sandbox: ${why}. Nothing ran.`,
    {
      retryable: false,
    },
  );
}
