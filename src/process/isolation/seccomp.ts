/*
 * A classic BPF program for seccomp, by hand: there is no library for it, and a filter is a list of
 * comparisons. It is handed to bubblewrap, which installs it right before the command begins.
 */

import { ARCHITECTURES, CALLS, PINNING, type SystemCall } from "./system-calls.js";

/** unix, inet, inet6 and netlink; everything else, vsock among it, is closed. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** All CLONE_NEW*: a process may fork, and may not make namespaces in which it would have capabilities. */
const NEW_NAMESPACES = 0x7e020000;
/** A file with one of these runs as its owner or group, no matter who starts it: on the host, too, where its owner is the engine's user. */
const SET_ID = 0o6000;
/** O_CREAT and O_TMPFILE: without them an opening has no mode, whatever stands in its place. */
const CREATES = 0o20000100;

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
const argumentAt = (index: number) => 16 + 8 * index;

type Instruction = readonly [code: number, jumpIf: number, jumpElse: number, value: number];

/**
 * The filter for commands of agents; undefined on architectures whose numbers are not known here.
 * @param isPinned whether a command stays on the processors that it was started on
 */
export function commandFilter(
  name: NodeJS.Architecture = process.arch,
  { isPinned = false }: { isPinned?: boolean } = {},
): Buffer | undefined {
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
  for (const call of isPinned ? [...CALLS, PINNING] : CALLS) {
    const number = calls[call];
    if (number !== undefined) program.push(...ruleFor(call, number));
  }
  program.push([RETURN, 0, 0, ALLOW]);
  return encode(program);
}

/** Rules that look at an argument replace the loaded number, so every way through them ends the program. */
function ruleFor(call: SystemCall, number: number): Instruction[] {
  switch (call) {
    case "socket":
    case "socketpair":
      return onCall(number, [
        [LOAD, 0, 0, argumentAt(0)],
        ...SOCKET_FAMILIES.map(
          (family, index): Instruction => [JUMP_EQUAL, SOCKET_FAMILIES.length - index, 0, family],
        ),
        [RETURN, 0, 0, fail(EAFNOSUPPORT)],
        [RETURN, 0, 0, ALLOW],
      ]);
    case "clone":
      return onCall(number, [
        [LOAD, 0, 0, argumentAt(0)],
        [JUMP_SET, 0, 1, NEW_NAMESPACES],
        [RETURN, 0, 0, fail(EPERM)],
        [RETURN, 0, 0, ALLOW],
      ]);
    // Its flags lie in memory, where a filter cannot look. Where it is missing, libraries take `clone`.
    case "clone3":
      return onCall(number, [[RETURN, 0, 0, fail(ENOSYS)]]);
    case "chmod":
    case "fchmod":
    case "creat":
    case "mknod":
      return onCall(number, withoutSetId(1));
    case "fchmodat":
    case "fchmodat2":
    case "mknodat":
      return onCall(number, withoutSetId(2));
    case "open":
      return onCall(number, [...unlessCreating(1), ...withoutSetId(2)]);
    case "openat":
      return onCall(number, [...unlessCreating(2), ...withoutSetId(3)]);
    // As with `clone3`.
    case "openat2":
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

/** @param at the place of the mode among the arguments */
function withoutSetId(at: number): Instruction[] {
  return [
    [LOAD, 0, 0, argumentAt(at)],
    [JUMP_SET, 0, 1, SET_ID],
    [RETURN, 0, 0, fail(EPERM)],
    [RETURN, 0, 0, ALLOW],
  ];
}

/** @param at the place of the flags among the arguments */
function unlessCreating(at: number): Instruction[] {
  return [
    [LOAD, 0, 0, argumentAt(at)],
    [JUMP_SET, 1, 0, CREATES],
    [RETURN, 0, 0, ALLOW],
  ];
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
