import { existsSync } from "node:fs";
import type { TrustedExecutables } from "../trusted-executable.js";
import { foldersAbove } from "./folders-above.js";
import { type Confinement, INNER_SCRIPT, type Isolation, innerShell } from "./isolation.js";

/** Takes all capabilities away for good, before anything of the command runs. */
const WITHOUT_CAPABILITIES = [
  "--bounding-set=-all",
  "--inh-caps=-all",
  "--ambient-caps=-all",
  "--no-new-privs",
];

/**
 * The first steps of a shell with capabilities in its own namespaces. $1 is `mount`, $2 says whether the network is its
 * own; then three lists, each with its length before it: folders to pin, files to freeze, paths that are to vanish;
 * then the command. The working folder was entered before anything was mounted upon it, so it is entered again.
 * A remount has to repeat the flags that the place has already, which older tools do not do by themselves.
 * A fresh network namespace has its loopback interface down; one of the three ways is on nearly every host.
 */
const SETUP_SCRIPT = `
set -e
mount=$1 network=$2 count=$3
shift 3
while [ "$count" -gt 0 ]; do "$mount" --rbind "$1" "$1"; shift; count=$((count - 1)); done
count=$1
shift
while [ "$count" -gt 0 ]; do
  "$mount" --rbind "$1" "$1"
  for flags in "" ,nosuid,nodev ,nosuid,nodev,noexec ,nosuid,nodev,relatime ,nosuid,nodev,noatime; do
    if "$mount" -o "remount,bind,ro$flags" "$1" 2>/dev/null; then flags=set; break; fi
  done
  [ "$flags" = set ]
  shift
  count=$((count - 1))
done
count=$1
shift
while [ "$count" -gt 0 ]; do
  if [ -d "$1" ]; then "$mount" -t tmpfs tmpfs "$1"; else "$mount" --bind /dev/null "$1"; fi
  shift
  count=$((count - 1))
done
cd "$(pwd -P)"
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

/** A command in namespaces of its own, without bubblewrap: of the file system only `hidden` and `frozen` are kept from it. */
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
    ...setup(programs, { network: true, frozen: [], hidden }),
    ...[programs.setpriv, ...WITHOUT_CAPABILITIES],
  ];
  return [{ tool: "unshare", argv }];
}

function setup(
  { mount }: Programs,
  { network, frozen, hidden }: Pick<Confinement, "network" | "frozen" | "hidden">,
): string[] {
  const lists = [
    foldersAbove([...frozen, ...hidden], "/"),
    frozen.filter(existsSync),
    hidden.filter(existsSync),
  ];
  const counted = lists.flatMap((list) => [String(list.length), ...list]);
  return ["/bin/sh", "-c", SETUP_SCRIPT, "sh", mount, network ? "shared" : "own", ...counted];
}

function programsOf(executables: TrustedExecutables): Programs | undefined {
  const [unshare, setpriv, mount] = ["unshare", "setpriv", "mount"].map((name) => executables.find(name));
  if (unshare === undefined || setpriv === undefined || mount === undefined) return undefined;
  return { unshare, setpriv, mount };
}
