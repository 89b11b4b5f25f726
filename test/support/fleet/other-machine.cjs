/* Loaded before a program: it then takes itself to be on another machine, whose clock is wrong by so much. */
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const { name, clockAheadMs } = JSON.parse(process.env.TEST_MACHINE);

const readFileSync = fs.readFileSync;
fs.readFileSync = (path, ...rest) =>
  path === "/proc/sys/kernel/random/boot_id" ? name.padEnd(16, "0") : readFileSync(path, ...rest);
syncBuiltinESMExports();

const now = Date.now;
Date.now = () => now() + clockAheadMs;
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [Date.now()] : given));
  }
};
