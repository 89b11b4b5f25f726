import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";

/**
 * Runs a command that serves until it is stopped, and what is to be asked of it meanwhile.
 * @param command for a shell, in `folder`
 * @param ask is given the address that the command says
 */
export async function whileServing<T>(
  { command, folder, path }: { command: string; folder: string; path?: string },
  ask: (address: string) => Promise<T>,
): Promise<T> {
  const child = spawn("bash", ["-c", command], {
    cwd: folder,
    env: { ...process.env, ...(path !== undefined && { PATH: path }) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(child, "close");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  try {
    const address = () => {
      if (child.exitCode !== null) return output;
      return /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    };
    await expect.poll(address).toBeDefined();
    return await ask(address() as string);
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid as number), "SIGTERM");
    await ended;
  }
}
