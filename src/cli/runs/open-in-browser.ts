import { spawn } from "node:child_process";
import type { Terminal } from "../terminal.js";

/** Programs that open an address as the desktop does, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};

/** Has the desktop show a page. Where there is none, the address is on the screen all the same. */
export function openInBrowser(
  url: string,
  { err, environment }: Pick<Terminal, "err" | "environment">,
): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  spawn(program, [...args, url], { env: environment, stdio: "ignore", detached: true })
    .on("error", () => err.line(`${err.colors.yellow("!")} No browser could be opened: ${url}`))
    .unref();
}
