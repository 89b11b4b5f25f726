import type { Socket } from "node:net";

/** Hands on what either of two connections says, its end included; when one breaks, so does the other. */
export function join(one: Socket, other: Socket): void {
  breaksWith(one, other);
  breaksWith(other, one);
  one.pipe(other).pipe(one);
}

/** A whole end is none: what is still on its way arrives. */
function breaksWith(one: Socket, other: Socket): void {
  one.on("error", () => one.destroy());
  one.on("close", () => {
    if (!one.readableEnded || !one.writableFinished) other.destroy();
  });
}
