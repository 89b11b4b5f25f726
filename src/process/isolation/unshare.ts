import { statSync } from "node:fs";
import type { TrustedExecutables } from "../trusted-executable.js";
import { type Confinement, INNER_SCRIPT, type Isolation, innerShell } from "./isolation.js";

/** Takes all capabilities away for good, before anything of the command runs. */
const WITHOUT_CAPABILITIES = [
  "--bounding-set=-all",
  "--inh-caps=-all",
  "--ambient-caps=-all",
  "--no-new-privs",
];

/**
 * What a shell with capabilities in its own namespaces does first. $1 is `mount`, $2 tells whether the
 * network is its own, $3 how many paths follow that are to vanish; then the command.
 * A fresh network namespace has its loopback interface down; one of the three ways is on nearly every host.
 */
const SETUP_SCRIPT = `
set -e
mount=$1 network=$2 hidden=$3
shift 3
while [ "$hidden" -gt 0 ]; do
  if [ -d "$1" ]; then "$mount" -t tmpfs tmpfs "$1"; else "$mount" --bind /dev/null "$1"; fi
  shift
  hidden=$((hidden - 1))
done
if [ "$network" = own ]; then
  (
    PATH="/usr/sbin:/sbin:/usr/bin:/bin"
    ip link set lo up || ifconfig lo up || perl -e '
      socket(my $s, 2, 2, 0) or exit 1;
      ioctl($s, 0x8914, pack("a16 s x14", "lo", 0x49)) or exit 1;
    '
  ) >/dev/null 2>&1 || true
fi
exec "$@"
`;

/** `unshare` and the inner shell. */
const OWN_PROCESSES = 2;

/** The programs of util-linux that this way needs. */
interface Programs {
  unshare: string;
  setpriv: string;
  mount: string;
}

/** A command in namespaces of its own, without bubblewrap: nothing of the file system but `hidden` is kept from it. */
export function unshareWays(executables: TrustedExecutables, confinement: Confinement): Isolation[] {
  const programs = programsOf(executables);
  if (programs === undefined) return [];
  const { network } = confinement;
  const namespaces = [...(network ? [] : ["--net"]), "--mount", "--ipc", "--pid", "--fork", "--kill-child"];
  const command = [
    ...setup(programs, confinement),
    ...[programs.setpriv, ...WITHOUT_CAPABILITIES],
    ...innerShell(confinement, INNER_SCRIPT),
  ];
  const way = (...options: string[]): Isolation => ({
    tool: "unshare",
    argv: [programs.unshare, ...options, ...namespaces, "--", ...command],
    maxProcesses: confinement.maxProcesses + OWN_PROCESSES,
  });
  return [
    way("--map-current-user", "--keep-caps", "--mount-proc"),
    // Older tools, and containers that do not let a new /proc be mounted.
    way("--map-root-user"),
  ];
}

/** A command line that covers files and keeps everything else: network, process id, place in the process tree. */
export function unshareCover(executables: TrustedExecutables, hidden: readonly string[]): Isolation[] {
  const programs = programsOf(executables);
  if (programs === undefined) return [];
  const argv = [
    ...[programs.unshare, "--map-current-user", "--keep-caps", "--mount", "--"],
    ...setup(programs, { network: true, hidden }),
    ...[programs.setpriv, ...WITHOUT_CAPABILITIES],
  ];
  return [{ tool: "unshare", argv }];
}

function setup({ mount }: Programs, { network, hidden }: Pick<Confinement, "network" | "hidden">): string[] {
  const present = hidden.filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  const own = network ? "shared" : "own";
  return ["/bin/sh", "-c", SETUP_SCRIPT, "sh", mount, own, String(present.length), ...present];
}

function programsOf(executables: TrustedExecutables): Programs | undefined {
  const [unshare, setpriv, mount] = ["unshare", "setpriv", "mount"].map((name) => executables.find(name));
  if (unshare === undefined || setpriv === undefined || mount === undefined) return undefined;
  return { unshare, setpriv, mount };
}
