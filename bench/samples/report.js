/** Milliseconds and processor milliseconds of `body`. */
export async function timed(body) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await body();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}

/** Hands what this process has measured to the one that started it. */
export function report(measured) {
  process.stdout.write(JSON.stringify(measured));
}
