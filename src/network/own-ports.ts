import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { isRefusedAddress } from "./refused-addresses.js";

/** How many servers of this process listen at a port. */
const listening = new Map<number, number>();

/** Closes a port to requests of tools while a host of this process listens there. @returns opens it again */
export function closeOwnPort(port: number): () => void {
  listening.set(port, (listening.get(port) ?? 0) + 1);
  return () => {
    const left = (listening.get(port) ?? 1) - 1;
    if (left > 0) listening.set(port, left);
    else listening.delete(port);
  };
}

export function isOwnPort(port: number): boolean {
  return listening.has(port);
}

/** Whether an address is one of this machine, in any of its spellings. */
export function isOwnAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, "");
  if (isIP(plain.split("%")[0] ?? "") === 0) return false;
  // Only what is not on the public internet, or is written in this machine's own list, can be this machine.
  if (isRefusedAddress(plain, "private")) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === plain));
}
