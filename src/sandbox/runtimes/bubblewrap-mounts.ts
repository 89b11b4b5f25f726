import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { SandboxVolume } from "../../model/sandbox-access.js";
import { isInside } from "../../process/inside.js";
import { packageFolder } from "../../process/installation.js";
import { kernelSettings, RESOLVER } from "../../process/isolation/bubblewrap.js";

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
}

interface Mount {
  readonly path: string;
  readonly argv: readonly string[];
}

/** Bubblewrap's arguments: an empty file system with the system's programs, the code that runs, and the workspace to write to. */
export function sandboxMounts(places: SandboxPlaces): string[] {
  const { workspace, rootDir, result, resultInside, modules, volumes, cwd, network } = places;
  const list: Mount[] = [
    { path: "/dev", argv: ["--dev", "/dev"] },
    { path: "/proc", argv: ["--proc", "/proc"] },
    ...kernelSettings().map(readOnly),
    { path: "/tmp", argv: ["--tmpfs", "/tmp"] },
    { path: "/var/tmp", argv: ["--tmpfs", "/var/tmp"] },
    ...[...SYSTEM, ...SETTINGS, ...(network ? NETWORK_SETTINGS : [])].flatMap(asItIs),
    ...ownCode().map(readOnly),
    { path: cwd, argv: ["--dir", cwd] },
    { path: rootDir, argv: ["--bind", workspace, rootDir] },
    { path: resultInside, argv: ["--bind", result, resultInside] },
    ...installedIn(rootDir, workspace).map(readOnly),
    ...modules.filter((path) => !isInside(path, rootDir)).flatMap(codeAround),
  ];
  for (const volume of volumes) list.push(volumeMount(volume, list));
  const depth = ({ path }: Mount) => path.split("/").filter(Boolean).length;
  return list.sort((a, b) => depth(a) - depth(b)).flatMap(({ argv }) => argv);
}

/** Empty and its own: volumes may stand in them. */
const SCRATCH = ["/tmp", "/var/tmp"];

/** @throws SANDBOX_EXECUTION_FAILED where something else stands: it would be covered, or could not be made */
function volumeMount(
  { host, container, readonly }: Required<SandboxVolume>,
  others: readonly Mount[],
): Mount {
  const inTheWay = others.find(
    ({ path }) =>
      path === container ||
      isInside(path, container) ||
      (isInside(container, path) && !SCRATCH.includes(path)),
  );
  if (inTheWay === undefined) {
    return { path: container, argv: [readonly ? "--ro-bind" : "--bind", host, container] };
  }
  throw new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The volume at ${container} would meet ${inTheWay.path}, which the sandbox has already: choose another place, such as one below /opt.`,
    { details: { container, inTheWay: inTheWay.path }, retryable: false },
  );
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

/** This program: Node, the library, and the packages that it imports. */
function ownCode(): string[] {
  const own = packageFolder();
  const node = realpathSync(process.execPath);
  const packages: string[] = [join(own, "node_modules")];
  for (let folder = own; dirname(folder) !== folder; folder = dirname(folder)) {
    if (basename(folder) === "node_modules") packages.push(folder);
  }
  const parts = [join(own, "dist"), join(own, "package.json"), ...packages, node];
  return [...new Set(parts.filter((path) => existsSync(path) && !path.startsWith("/usr/")))].flatMap(
    (path) => {
      const real = realpathSync(path);
      return real === path ? [path] : [path, real];
    },
  );
}

/** Packages that are installed in the run's folder, which a copy leaves out: the mount points, or links, are made in the copy. */
function installedIn(rootDir: string, workspace: string): string[] {
  const found: string[] = [];
  const folders = [""];
  for (const folder of folders) {
    for (const entry of readdirSync(join(workspace, folder), { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== "node_modules") folders.push(join(folder, entry.name));
    }
    const packages = join(folder, "node_modules");
    const original = join(rootDir, packages);
    const stat = lstatSync(original, { throwIfNoEntry: false });
    if (stat === undefined || !existsSync(original)) continue;
    mountPoint(join(workspace, packages), stat.isSymbolicLink() ? readlinkSync(original) : undefined);
    found.push(realpathSync(original));
  }
  return [...new Set(found)];
}

/** Of a workspace that is kept an earlier sandbox may have left something else in this place, such as a link to anywhere. */
function mountPoint(path: string, link: string | undefined): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (link === undefined && there?.isDirectory() === true) return;
  rmSync(path, { recursive: true, force: true });
  if (link === undefined) mkdirSync(path);
  else symlinkSync(link, path);
}

/** A module outside of the run's folder, with the packages that it may import. */
function codeAround(path: string): Mount[] {
  const mounts = existsSync(path) ? [readOnly(path)] : [];
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    const packages = join(folder, "node_modules");
    if (existsSync(packages)) mounts.push(...asItIs(packages), readOnly(realpathSync(packages)));
  }
  return mounts;
}
