import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { builtin } from "../util/builtin.js";
import { isOwnAddress } from "./own-ports.js";
import { isRefusedAddress, type RefusedAddresses } from "./refused-addresses.js";

/** Thrown for a host that must not be reached, before a byte is sent to it. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";

  readonly host: string;

  constructor(host: string) {
    super(`the address of ${host} is closed to tools`);
    this.host = host;
  }
}

type Resolve = (
  host: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

interface LookupRules {
  /** Whether addresses of this machine are refused as well: a host of this process listens at the port. @default false */
  guardsOwn?: boolean;
  /** @default the system's */
  resolve?: Resolve;
}

/**
 * The lookup of a connection. It is this answer that the connection is made to, so a name that
 * resolves to something else a moment later gains nothing. One refused address refuses the name.
 */
export function guardedLookup(
  refused: RefusedAddresses,
  { guardsOwn = false, resolve = builtin("node:dns").lookup }: LookupRules = {},
): LookupFunction {
  const isRefused = ({ address }: LookupAddress) =>
    isRefusedAddress(address, refused) || (guardsOwn && isOwnAddress(address));
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, "", 0);
      if (addresses.some(isRefused)) {
        return done(new AddressRefused(host), "", 0);
      }
      if (options.all === true) return done(null, addresses);
      const [first] = addresses;
      return first === undefined
        ? done(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "", 0)
        : done(null, first.address, first.family);
    });
  };
}
