/*
 * Takes the place of the program `docker` and of its engine: `run` executes the command in bubblewrap, in a process that lives on
 * when this one is killed, as a container does. Flags that it does not know are refused. $1 is the folder with its state.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [state, verb, ...args] = process.argv.slice(2);
appendFileSync(join(state, "calls"), `${JSON.stringify([verb, ...args])}\n`);
const verbs = { info, version, ps, rm, run };
await verbs[verb]();

function info() {
  if (existsSync(join(state, "down")))
    fail(1, "Cannot connect to the Docker daemon. Is the docker daemon running?");
  console.log(
    JSON.stringify({ OSType: "linux", ServerVersion: "27.0.0", SecurityOptions: ["name=seccomp"], NCPU: 2 }),
  );
}

function version() {
  console.log(existsSync(join(state, "podman")) ? "Client: Podman Engine" : "Server: Docker Engine");
}

function ps() {
  for (const [name, { owner }] of containers()) console.log(`${name} ${owner}`);
}

function rm() {
  const name = args.at(-1);
  const found = containers().find(([each, { names }]) => each === name || names === name);
  if (found === undefined) fail(1, `No such container: ${name}`);
  const [id, { pid }] = found;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
  rmSync(join(state, `${id}.json`), { force: true });
}

async function run() {
  const flags = new Set(["--rm", "--interactive", "--no-healthcheck", "--read-only"]);
  const valued = new Set(
    "--name --cidfile --label --pull --log-driver --user --cap-drop --security-opt --tmpfs --ipc --pids-limit --ulimit --memory --memory-swap --cpus --network --mount --env --workdir --entrypoint".split(
      " ",
    ),
  );
  const given = {};
  let at = 0;
  for (; args[at].startsWith("-"); at += 1) {
    if (flags.has(args[at])) continue;
    if (!valued.has(args[at])) fail(125, `unknown flag: ${args[at]}`);
    (given[args[at]] ??= []).push(args[(at += 1)]);
  }
  const [image, ...command] = args.slice(at);
  if (image.startsWith("missing")) fail(125, `Error response from daemon: No such image: ${image}.`);
  const [uid, gid] = given["--user"][0].split(":").map(Number);
  const child = spawn(
    "bwrap",
    [
      // No session of its own: the first process inside, with which all others end, stays in the group that `rm` kills.
      ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
      ...[
        "--clearenv",
        "--cap-drop",
        "ALL",
        ...(given["--network"]?.[0] === "none" ? ["--unshare-net"] : []),
      ],
      ...[
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        ...["/usr", "/bin", "/lib", "/lib64"].flatMap((path) => ["--ro-bind", path, path]),
      ],
      ...given["--tmpfs"].flatMap((tmpfs) => ["--tmpfs", tmpfs.split(":")[0]]),
      ...given["--mount"]
        .flatMap(bind)
        .sort((a, b) => a[2].split("/").length - b[2].split("/").length)
        .flat(),
      ...["--remount-ro", "/", "--chdir", given["--workdir"][0], "--setenv", "PATH", "/usr/bin:/bin"],
      ...given["--env"].flatMap((pair) => [
        "--setenv",
        pair.split("=")[0],
        pair.slice(pair.indexOf("=") + 1),
      ]),
      ...["--", given["--entrypoint"][0], ...command],
    ],
    // No mark of the one who asks: what belongs to an engine is not found by it.
    {
      env: { PATH: process.env.PATH },
      detached: true,
      stdio: "inherit",
      ...(process.getuid() === 0 && { uid, gid }),
    },
  );
  const id = [...given["--name"][0]]
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join("")
    .slice(-40)
    .padStart(40, "0");
  const owner = given["--label"]
    .find((label) => label.startsWith("treadle.owner="))
    .slice("treadle.owner=".length);
  writeFileSync(
    join(state, `${id}.json`),
    JSON.stringify({ pid: child.pid, owner, names: given["--name"][0] }),
  );
  writeFileSync(given["--cidfile"][0], id);
  child.on("exit", (code) => {
    rmSync(join(state, `${id}.json`), { force: true });
    process.exit(code ?? 137);
  });
}

function bind(mount) {
  const parts = mount
    .match(/"(?:[^"]|"")*"|[^,]+/g)
    .map((part) => part.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'));
  const fields = Object.fromEntries(parts.map((part) => part.split("=")));
  return [["readonly" in fields ? "--ro-bind" : "--bind", fields.source, fields.target]];
}

function containers() {
  const names = readdirSync(state).filter((name) => name.endsWith(".json"));
  return names.map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(state, name), "utf8"))]);
}

function fail(code, message) {
  console.error(message);
  process.exit(code);
}
