import { once } from "node:events";
import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { addressInUse, addressRefusal, type BindOptions } from "../http/address-refusal.js";
import { builtin } from "../../util/builtin.js";

/** The time that clients have to finish their requests once the runs have been released, milliseconds. */
const CLOSE_GRACE_MS = 2_000;

/**
 * Resolves once the server listens.
 * @throws ADDRESS_IN_USE; INVALID_INPUT for an address that this machine does not have or may not use
 */
export async function bind(server: Server, where: BindOptions): Promise<void> {
  if ("path" in where) await removeStale(where.path);
  // The file is made with this mask, so that no other user can open it for a moment.
  const mask = "path" in where ? process.umask(0o177) : undefined;
  const listening = once(server, "listening");
  try {
    if ("path" in where) server.listen(where.path);
    else server.listen(where.port, where.host);
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
  try {
    await listening;
  } catch (error) {
    throw addressRefusal(error, where);
  }
  if ("path" in where) chmodSync(where.path, 0o600);
}

/** Stops listening and ends what connections there are, the busy ones after a while. */
export function unbind(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/**
 * Removes the socket file of a process that has died. It is moved aside first: another gateway may
 * take its place at the same moment, and what is then found to be alive goes back.
 * @throws ADDRESS_IN_USE when another process listens there, or the file is no socket
 */
async function removeStale(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket() || (await isAlive(path))) throw addressInUse({ path });
  const aside = `${path}.${process.pid}`;
  renameSync(path, aside);
  if (await isAlive(aside)) {
    renameSync(aside, path);
    throw addressInUse({ path });
  }
  rmSync(aside);
}

async function isAlive(path: string): Promise<boolean> {
  const socket = builtin("node:net").connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ECONNREFUSED";
  } finally {
    socket.destroy();
  }
}
