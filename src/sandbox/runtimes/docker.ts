import { readFileSync, rmSync } from "node:fs";
import { lchown, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SandboxProvider, SandboxRequest, SandboxResult } from "../../model/sandbox-provider.js";
import { newOwnerId } from "../../process/owner.js";
import { hostExecutables, type TrustedExecutables } from "../../process/trusted-executable.js";
import { type CommandResult, runCommand } from "../../tools/process/run-command.js";
import { newId } from "../../util/ids.js";
import {
  DockerEngine,
  dockerEnvironment,
  type EngineFacts,
  dockerMissing,
  OWNER_LABEL,
  dockerRefused,
} from "./docker-engine.js";
import { boundPaths, mountArgument, NODE_INSIDE } from "./docker-mounts.js";
import {
  insideProgram,
  insideRequestOf,
  MOST_PROCESSES,
  type Openings,
  resultLeftInside,
  SANDBOX_VARIABLE,
  withOpenings,
} from "./inside-process.js";

/** Has what Node needs, and is what people have. */
const DEFAULT_IMAGE = `node:${process.versions.node.split(".")[0]}-slim`;
/** The program itself says so: the container was not made, or not started. */
const NOT_STARTED = 125;
const NOT_RUNNABLE: readonly (number | null)[] = [126, 127];

/** The child workflow in a container of its own, by the program `docker`. */
export class DockerRuntime implements SandboxProvider {
  readonly id = "docker";
  readonly #executables: Pick<TrustedExecutables, "find">;

  constructor(executables: Pick<TrustedExecutables, "find"> = hostExecutables) {
    this.#executables = executables;
  }

  async run(request: SandboxRequest): Promise<SandboxResult> {
    const docker = this.#executables.find("docker");
    if (process.platform !== "linux")
      throw dockerRefused("it binds this machine's Node, which is to be one for Linux");
    if (docker === undefined) throw dockerMissing();
    const engine = new DockerEngine(docker);
    const facts = await engine.facts();
    await engine.removeOfTheDead();
    return withOpenings(request, { hasOwnLoopback: true }, (openings) =>
      inContainer(request, { ...openings, engine, facts }),
    );
  }
}

interface Setting extends Openings {
  readonly engine: DockerEngine;
  readonly facts: EngineFacts;
}

async function inContainer(request: SandboxRequest, setting: Setting): Promise<SandboxResult> {
  const { engine, facts, secrets, egress, ports } = setting;
  const name = `treadle-${newId()}`;
  const idFile = join(dirname(request.resultBundlePath), "container-id");
  const paths = boundPaths(request, setting);
  const given = [request.workspacePath, request.resultBundlePath, egress?.folder, ports?.folder];
  for (const folder of given) if (folder !== undefined) await giveTo(facts.user, Buffer.from(folder));
  // Their values go to the process alone: the engine writes the variables of a container to its disk.
  const inside = insideRequestOf(request, setting, secrets.values);
  const { token } = inside;
  const release = engine.guard(name);
  let ended: CommandResult;
  try {
    ended = await runCommand({
      argv: [
        engine.program,
        "run",
        ...["--name", name, "--cidfile", idFile, "--label", `${OWNER_LABEL}=${newOwnerId()}`],
        ...["--label", `treadle.run=${request.runId}`, "--label", `treadle.sandbox=${request.sandboxId}`],
        ...confinement(request, facts),
        ...paths.flatMap((path) => ["--mount", mountArgument(path, facts.readonlyFields)]),
        ...Object.entries({
          ...{ HOME: "/tmp", LANG: "C.UTF-8" },
          ...request.env,
          ...egress?.env,
          [SANDBOX_VARIABLE]: "1",
        }).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
        ...["--workdir", request.rootDir, "--entrypoint", "/bin/sh", request.image ?? DEFAULT_IMAGE],
        // The shell stays: it collects what processes inside leave behind.
        ...["-c", '"$@"; exit "$?"', "sh", NODE_INSIDE, ...insideProgram()],
      ],
      cwd: "/",
      env: dockerEnvironment(),
      signal: request.signal,
      maxOutputBytes: request.maxOutputBytes,
      input: JSON.stringify(inside),
      onOutput: (chunk) => {
        if (chunk.includes(token)) request.heartbeat();
      },
    });
  } finally {
    await engine.remove(name);
    release();
  }
  request.signal.throwIfAborted();
  if (ended.exitCode === NOT_STARTED) throw notStarted(request, secrets.redacted(ended.output));
  const hint = NOT_RUNNABLE.includes(ended.exitCode)
    ? ": the image needs /bin/sh and what this machine's Node is linked with (glibc and libstdc++, as Debian, Ubuntu and Fedora have them)"
    : "";
  const result = await resultLeftInside(request, ended, { token, secrets, hint });
  return { ...result, ...containerOf(idFile) };
}

/** Flags that keep what runs inside from everything but its files. */
function confinement(request: SandboxRequest, { user, flags, processors }: EngineFacts): string[] {
  const { allowNetwork, memoryBytes, cpuLimit } = request;
  const [uid, gid] = user.split(":");
  // An engine may give such a folder the rights that the image's own has there: then it is the user's.
  const scratch = `rw,exec,nosuid,nodev,mode=1777,uid=${uid},gid=${gid}`;
  return [
    ...["--rm", "--interactive", "--pull", "never", "--log-driver", "none", "--no-healthcheck"],
    ...["--user", user, ...flags, "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
    ...["--read-only", "--tmpfs", `/tmp:${scratch}`, "--tmpfs", `/var/tmp:${scratch}`],
    ...["--ipc", "private", "--pids-limit", String(MOST_PROCESSES), "--ulimit", "core=0"],
    ...["--memory", String(memoryBytes), "--memory-swap", String(memoryBytes)],
    ...(cpuLimit === undefined ? [] : ["--cpus", String(Math.min(cpuLimit, processors))]),
    ...(allowNetwork ? [] : ["--network", "none"]),
  ];
}

/** Of root's own files the user inside could write none. No link is followed. */
async function giveTo(user: string, folder: Buffer): Promise<void> {
  const [uid = 0, gid = 0] = user.split(":").map(Number);
  if (process.getuid?.() !== 0 || uid === 0) return;
  await lchown(folder, uid, gid);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: "buffer" })) {
    const path = Buffer.concat([folder, Buffer.from("/"), entry.name]);
    if (entry.isDirectory()) await giveTo(user, path);
    else await lchown(path, uid, gid);
  }
}

/** What the engine calls the container, by a file that is read once. */
function containerOf(idFile: string): { containerId?: string } {
  try {
    const id = readFileSync(idFile, "utf8").trim();
    return /^[0-9a-f]{12,64}$/.test(id) ? { containerId: id } : {};
  } catch {
    return {};
  } finally {
    rmSync(idFile, { force: true });
  }
}

function notStarted({ image = DEFAULT_IMAGE }: SandboxRequest, output: string): Error {
  if (/no such image|unable to find image/i.test(output))
    return dockerRefused(`the image ${image} is not on this machine: \`docker pull ${image}\``);
  return dockerRefused(
    `the container could not be started (${output.trim().slice(0, 1_000) || "no reason given"})`,
  );
}
