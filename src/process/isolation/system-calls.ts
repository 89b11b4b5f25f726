/** How a filter of system calls knows an architecture and its calls. */
export interface Architecture {
  /** AUDIT_ARCH_* of the kernel. */
  audit: number;
  /** First number of another calling convention on the same architecture. */
  foreignFrom?: number;
  /** Not every architecture has the older ones of a family. */
  calls: Readonly<Partial<Record<SystemCall, number>>>;
}

export const CALLS = [
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
  "syslog",
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
  "chmod",
  "fchmod",
  "fchmodat",
  "fchmodat2",
  "creat",
  "mknod",
  "mknodat",
  "open",
  "openat",
  "openat2",
] as const;
/** Chooses the processors that a process runs on. */
export const PINNING = "sched_setaffinity" as const;
export type SystemCall = (typeof CALLS)[number] | typeof PINNING;

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
  openat2: 437,
  mount_setattr: 442,
  fchmodat2: 452,
} as const;

export const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, Architecture>>> = {
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
      syslog: 103,
      userfaultfd: 323,
      open_by_handle_at: 304,
      open: 2,
      openat: 257,
      creat: 85,
      chmod: 90,
      fchmod: 91,
      fchmodat: 268,
      mknod: 133,
      mknodat: 259,
      sched_setaffinity: 203,
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
      syslog: 116,
      userfaultfd: 282,
      open_by_handle_at: 265,
      openat: 56,
      fchmod: 52,
      fchmodat: 53,
      mknodat: 33,
      sched_setaffinity: 122,
    },
  },
};
