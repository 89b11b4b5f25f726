import { ServiceError } from "../../errors/service-error.js";

/** A package that is loaded with the first connection, not with the library. @throws DB_DRIVER_MISSING naming it */
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
