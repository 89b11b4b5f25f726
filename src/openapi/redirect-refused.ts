/** A server asked to continue at an address that is not followed. */
export class RedirectRefused extends Error {
  override readonly name = "RedirectRefused";
}
