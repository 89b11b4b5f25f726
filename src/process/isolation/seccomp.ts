/*
 * A classic BPF program for seccomp, by hand: there is no library for it, and a filter is a list of
 * comparisons. It is handed to bubblewrap, which installs it right before the command begins.
 */

interface Architecture {
  /** AUDIT_ARCH_* of the kernel. */
  audit: number;
  /** First number of another calling convention on the same architecture. */
  foreignFrom?: number;
  calls: Readonly<Record<Call, number>>;
}

const CALLS = [
  "socket",
  "socketpair",
  "clone",
  "clone3",
  "unshare",
  "setns",
  "mount",
  "umount2",
  "pivot_root",
  "add_key",
  "request_key",
  "keyctl",
  "bpf",
  "perf_event_open",
  "userfaultfd",
  "open_by_handle_at",
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  "open_tree",
  "move_mount",
  "fsopen",
  "fsconfig",
  "fsmount",
  "fspick",
  "mount_setattr",
] as const;
type Call = (typeof CALLS)[number];

/** Numbers that all architectures share. */
const NEW_CALLS = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  mount_setattr: 442,
} as const;

const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, Architecture>>> = {
  x64: {
    audit: 0xc000003e,
    foreignFrom: 0x40000000,
    calls: {
      ...NEW_CALLS,
      socket: 41,
      socketpair: 53,
      clone: 56,
      unshare: 272,
      setns: 308,
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      bpf: 321,
      perf_event_open: 298,
      userfaultfd: 323,
      open_by_handle_at: 304,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      ...NEW_CALLS,
      socket: 198,
      socketpair: 199,
      clone: 220,
      unshare: 97,
      setns: 268,
      mount: 40,
      umount2: 39,
      pivot_root: 41,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      bpf: 280,
      perf_event_open: 241,
      userfaultfd: 282,
      open_by_handle_at: 265,
    },
  },
};

/** unix, inet, inet6 and netlink; everything else, vsock among it, is closed. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** All CLONE_NEW*: a process may fork, and may not make namespaces in which it would have capabilities. */
const NEW_NAMESPACES = 0x7e020000;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_FROM = 0x35;
const JUMP_SET = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const fail = (errno: number) => 0x00050000 | errno;

const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const FIRST_ARGUMENT_AT = 16;

type Instruction = readonly [code: number, jumpIf: number, jumpElse: number, value: number];

/** The filter for commands of agents; undefined on architectures whose numbers are not known here. */
export function commandFilter(name: NodeJS.Architecture = process.arch): Buffer | undefined {
  const architecture = ARCHITECTURES[name];
  if (architecture === undefined) return undefined;
  const { audit, foreignFrom, calls } = architecture;
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [JUMP_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER_AT],
  ];
  if (foreignFrom !== undefined) {
    program.push([JUMP_FROM, 0, 1, foreignFrom], [RETURN, 0, 0, fail(ENOSYS)]);
  }
  for (const call of CALLS) program.push(...ruleFor(call, calls[call]));
  program.push([RETURN, 0, 0, ALLOW]);
  return encode(program);
}

/** Rules that look at an argument replace the loaded number, so every way through them ends the program. */
function ruleFor(call: Call, number: number): Instruction[] {
  switch (call) {
    case "socket":
    case "socketpair":
      return onCall(number, [
        [LOAD, 0, 0, FIRST_ARGUMENT_AT],
        ...SOCKET_FAMILIES.map(
          (family, index): Instruction => [JUMP_EQUAL, SOCKET_FAMILIES.length - index, 0, family],
        ),
        [RETURN, 0, 0, fail(EAFNOSUPPORT)],
        [RETURN, 0, 0, ALLOW],
      ]);
    case "clone":
      return onCall(number, [
        [LOAD, 0, 0, FIRST_ARGUMENT_AT],
        [JUMP_SET, 0, 1, NEW_NAMESPACES],
        [RETURN, 0, 0, fail(EPERM)],
        [RETURN, 0, 0, ALLOW],
      ]);
    // Its flags lie in memory, where a filter cannot look. Told that it is missing, libraries take `clone`.
    case "clone3":
      return onCall(number, [[RETURN, 0, 0, fail(ENOSYS)]]);
    // They open sockets, too, and no filter sees it.
    case "io_uring_setup":
    case "io_uring_enter":
    case "io_uring_register":
      return onCall(number, [[RETURN, 0, 0, fail(ENOSYS)]]);
    default:
      return onCall(number, [[RETURN, 0, 0, fail(EPERM)]]);
  }
}

function onCall(number: number, rule: readonly Instruction[]): Instruction[] {
  return [[JUMP_EQUAL, 0, rule.length, number], ...rule];
}

/** `struct sock_filter`: u16 code, u8 jt, u8 jf, u32 k. Both architectures are little-endian. */
function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpIf, jumpElse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpIf, index * 8 + 2);
    bytes.writeUInt8(jumpElse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
