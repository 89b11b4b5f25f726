import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import type { SandboxVolume } from "../../model/sandbox-access.js";
import { kernelSettings, RESOLVER } from "../../process/isolation/bubblewrap.js";
import { installedIn, modulesAround, ownCode, refuseMeeting } from "./shown-code.js";

/** The system's programs and libraries. Some are links into `/usr`. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
/** Settings that programs need and that hold no secrets. */
const SETTINGS = [
  "passwd",
  "group",
  "nsswitch.conf",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "alternatives",
  "localtime",
  "timezone",
  "mime.types",
  "services",
  "protocols",
  "ssl/certs",
  "ssl/openssl.cnf",
  "pki/tls/certs",
  "pki/ca-trust/extracted",
].map((name) => `/etc/${name}`);
const NETWORK_SETTINGS = ["/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf", RESOLVER];

/** What a sandbox is made of. */
export interface SandboxPlaces {
  /** The copy of the run's folder. */
  readonly workspace: string;
  /** Where the copy stands inside; absolute, without links. */
  readonly rootDir: string;
  /** Folder for the result, and where it stands inside. */
  readonly result: string;
  readonly resultInside: string;
  /** Files of the workflow's code. */
  readonly modules: readonly string[];
  readonly volumes: readonly Required<SandboxVolume>[];
  readonly cwd: string;
  readonly network: boolean;
  /** Most bytes of each folder that stands in memory. */
  readonly scratchBytes: number | undefined;
}

interface Mount {
  readonly path: string;
  readonly argv: readonly string[];
}

/** Bubblewrap's arguments: an empty file system with the system's programs, the code that runs, and the workspace to write to. */
export function sandboxMounts(places: SandboxPlaces): string[] {
  const { workspace, rootDir, result, resultInside, modules, volumes, cwd, network, scratchBytes } = places;
  const scratch = (path: string): Mount => ({
    path,
    argv: [...(scratchBytes === undefined ? [] : ["--size", String(scratchBytes)]), "--tmpfs", path],
  });
  const list: Mount[] = [
    { path: "/dev", argv: ["--dev", "/dev"] },
    { path: "/proc", argv: ["--proc", "/proc"] },
    ...kernelSettings().map(readOnly),
    ...["/dev/shm", "/tmp", "/var/tmp"].map(scratch),
    ...[...SYSTEM, ...SETTINGS, ...(network ? NETWORK_SETTINGS : [])].flatMap(asItIs),
    ...ownCode()
      .filter((path) => !path.startsWith("/usr/"))
      .map(readOnly),
    { path: cwd, argv: ["--dir", cwd] },
    { path: rootDir, argv: ["--bind", workspace, rootDir] },
    { path: resultInside, argv: ["--bind", result, resultInside] },
    ...installedIn(rootDir, workspace).map(readOnly),
    ...modulesAround(modules, rootDir).flatMap(asItIs),
  ];
  for (const { host, container, readonly } of volumes) {
    refuseMeeting(
      container,
      list.map(({ path }) => path),
    );
    list.push({ path: container, argv: [readonly ? "--ro-bind" : "--bind", host, container] });
  }
  const depth = ({ path }: Mount) => path.split("/").filter(Boolean).length;
  const mounts = list.sort((a, b) => depth(a) - depth(b)).flatMap(({ argv }) => argv);
  // They stand in memory, too, and nothing limits what is written there.
  return [...mounts, "--remount-ro", "/", "--remount-ro", "/dev"];
}

const readOnly = (path: string): Mount => ({ path, argv: ["--ro-bind", path, path] });

/** A link stays a link: what it leads to has a mount of its own. */
function asItIs(path: string): Mount[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isSymbolicLink()) return [readOnly(path)];
  if (path.startsWith("/etc/"))
    return existsSync(path) ? [{ path, argv: ["--ro-bind", realpathSync(path), path] }] : [];
  return [{ path, argv: ["--symlink", readlinkSync(path), path] }];
}
