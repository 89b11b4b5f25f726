/** A server asked to go on at an address that is not followed. */
export class RedirectRefused extends Error {
  override readonly name = "RedirectRefused";
}
