import { ServiceError } from "../../errors/service-error.js";

/**
 * Options that mean nothing without another one.
 * @throws CLI_USAGE naming both
 */
export function requireWith<O extends object>(
  options: O,
  needs: Readonly<Partial<Record<keyof O & string, keyof O & string>>>,
): void {
  for (const [name, needed] of Object.entries(needs) as [keyof O & string, keyof O & string][]) {
    if (options[name] === undefined || options[needed] !== undefined) continue;
    throw new ServiceError("CLI_USAGE", `--${name} needs --${needed}.`, { details: { option: `--${name}` } });
  }
}
