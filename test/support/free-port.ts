import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems give away by themselves: to connections, and to servers that take any. */
const [FIRST, END] = [20_000, 32_000];

/** A port that is free, and stays so however long its server takes to begin, and while that is stopped. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
