/** Where the gateway itself answers. */
const OWN = /^\/(?:health|metrics|workflows|rpc|v1|webhooks|_ui)$|^\/(?:rpc|v1|webhooks|_ui)\//;

/** Whether no page can be there. */
export function isOwnPath(path: string): boolean {
  return OWN.test(withoutEnd(path));
}

/** Without slashes at its end, save that of the root. */
export function withoutEnd(path: string): string {
  return path.replace(/(?<=.)\/+$/, "");
}
