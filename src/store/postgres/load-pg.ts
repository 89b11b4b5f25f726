import { createRequire } from "node:module";
import { ServiceError } from "../../errors/service-error.js";

/** The driver is loaded with the first connection, not with the library. */
const require = createRequire(import.meta.url);

/** @throws DB_DRIVER_MISSING */
export function loadPg(): typeof import("pg") {
  return loadDriver("pg", () => require("pg") as typeof import("pg"));
}

/** @throws DB_DRIVER_MISSING naming the package */
export function loadDriver<T>(name: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "MODULE_NOT_FOUND" && code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ServiceError(
      "DB_DRIVER_MISSING",
      `This database needs the package ${name}, which is not installed. Run \`npm install ${name}\`.`,
      { cause: error, details: { package: name } },
    );
  }
}
