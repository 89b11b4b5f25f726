import { BlockList, isIP } from "node:net";

interface Network {
  address: string;
  bits: number;
  family: "ipv4" | "ipv6";
}

/** `10.0.0.0/8`, or one address; undefined for what is neither. */
export function parseNetwork(text: unknown): Network | undefined {
  if (typeof text !== "string") return undefined;
  const [address = "", bits, more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more !== undefined || address.includes("%")) return undefined;
  const widest = version === 4 ? 32 : 128;
  const width = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : widest + 1;
  return width > widest ? undefined : { address, bits: width, family: version === 4 ? "ipv4" : "ipv6" };
}

/** Whether a connection comes from one of these networks; an IPv4 address is the same one when it is written as IPv6. */
export function peersOf(networks: readonly string[]): (peer: string | undefined) => boolean {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network !== undefined) list.addSubnet(network.address, network.bits, network.family);
  }
  return (peer = "") => {
    const address = peer.replace(/^::ffff:(?=\d+\.)/i, "");
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
  };
}
