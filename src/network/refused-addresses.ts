import type { BlockList } from "node:net";
import { once } from "../util/once.js";
import { builtin } from "../util/builtin.js";

/**
 * Which addresses a request must not reach. `metadata`: link-local ones and those under which cloud
 * machines hand out their credentials. `private`: also loopback and every other address that is not
 * on the public internet. `none`: all may be reached.
 */
export type RefusedAddresses = "none" | "metadata" | "private";

type Subnet = readonly [network: string, prefix: number, family: "ipv4" | "ipv6"];

const METADATA: readonly Subnet[] = [
  ["169.254.0.0", 16, "ipv4"],
  ["100.100.100.200", 32, "ipv4"],
  ["168.63.129.16", 32, "ipv4"],
  ["192.0.0.192", 32, "ipv4"],
  ["fe80::", 10, "ipv6"],
  ["fd00:ec2::", 32, "ipv6"],
  ["fd20:ce::254", 128, "ipv6"],
  ["fd00:c1::a9fe:a9fe", 128, "ipv6"],
];

const PRIVATE: readonly Subnet[] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["224.0.0.0", 4, "ipv4"],
  ["240.0.0.0", 4, "ipv4"],
  ["::", 128, "ipv6"],
  ["::1", 128, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fec0::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
];

/** Names of the same services, refused whatever they resolve to. */
const METADATA_NAMES = new Set([
  "metadata",
  "metadata.goog",
  "metadata.google.internal",
  "metadata.azure.internal",
  "instance-data",
  "instance-data.ec2.internal",
]);

const lists = once((): Readonly<Record<Exclude<RefusedAddresses, "none">, BlockList>> => {
  return { metadata: listOf(METADATA), private: listOf([...METADATA, ...PRIVATE]) };
});

function isIP(text: string): number {
  return builtin("node:net").isIP(text);
}

/** Whether an IP address in any of its spellings is among those refused. Text that is no address is. */
export function isRefusedAddress(address: string, refused: RefusedAddresses): boolean {
  if (refused === "none") return false;
  const [plain = ""] = address.split("%");
  const version = isIP(plain);
  if (version === 0) return true;
  const list = lists()[refused];
  if (version === 4) return list.check(plain, "ipv4");
  return list.check(plain, "ipv6") || embeddedIpv4(plain).some((inner) => list.check(inner, "ipv4"));
}

/** Whether a host name, or the address that it spells out, is refused before anything is looked up. */
export function isRefusedHost(host: string, refused: RefusedAddresses): boolean {
  if (refused === "none") return false;
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  return METADATA_NAMES.has(name) || (isIP(name) !== 0 && isRefusedAddress(name, refused));
}

/** The IPv4 addresses that an IPv6 one may stand for: mapped, compatible, NAT64, 6to4, Teredo, ISATAP. */
function embeddedIpv4(address: string): string[] {
  const groups = groupsOf(address);
  const bytes = groups.flatMap((group) => [group >> 8, group & 0xff]);
  const at = (...places: number[]) => places.map((place) => bytes[place]).join(".");
  const last = at(12, 13, 14, 15);
  const head = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(":");
  if (["0:0:0:0:0:ffff", "0:0:0:0:ffff:0", "0:0:0:0:0:0", "64:ff9b:0:0:0:0"].includes(head)) return [last];
  // A network chooses how long its prefix is, from 48 bits to 96; the ninth byte stays empty.
  if (head.startsWith("64:ff9b:1:")) return [last, at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12)];
  const found = /^[0-9a-f]+:[0-9a-f]+:[0-9a-f]+:[0-9a-f]+:(?:0|200):5efe$/.test(head) ? [last] : [];
  if (groups[0] === 0x2002) found.push(at(2, 3, 4, 5));
  // Of a tunnel its server, and its client with all bits turned.
  if (groups[0] === 0x2001 && groups[1] === 0) {
    const client = bytes.slice(12).map((byte) => byte ^ 0xff);
    found.push(at(4, 5, 6, 7), client.join("."));
  }
  return found;
}

/** The eight groups of an IPv6 address. The URL parser writes every spelling of it in one way. */
function groupsOf(address: string): number[] {
  const normal = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [left = "", right] = normal.split("::");
  const numbers = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const start = numbers(left);
  const end = right === undefined ? [] : numbers(right);
  return [...start, ...new Array<number>(8 - start.length - end.length).fill(0), ...end];
}

function listOf(subnets: readonly Subnet[]): BlockList {
  const list = new (builtin("node:net").BlockList)();
  for (const [network, prefix, family] of subnets) list.addSubnet(network, prefix, family);
  return list;
}
