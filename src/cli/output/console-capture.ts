type Write = typeof process.stdout.write;

/**
 * Sends what a workflow's code writes to stdout or stderr (`console.log`, a
 * warning) to `print`: stdout belongs to the result. Returns the function that
 * restores both. Streams that were bound before keep working.
 */
export function captureConsole(print: (text: string) => void): () => void {
  const streams = [process.stdout, process.stderr];
  const originals = streams.map((stream) => stream.write);
  const captured = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    print(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
    const done = rest.find((argument) => typeof argument === "function") as (() => void) | undefined;
    if (done !== undefined) process.nextTick(done);
    return true;
  }) as Write;
  for (const stream of streams) stream.write = captured;
  return () => {
    streams.forEach((stream, index) => {
      stream.write = originals[index] as Write;
    });
  };
}
