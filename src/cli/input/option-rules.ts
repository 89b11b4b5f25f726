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

/** @throws CLI_USAGE when neither a run nor any filter is given */
export function requireFilter(filters: Readonly<Record<string, unknown>>): void {
  if (Object.values(filters).some((value) => value !== undefined)) return;
  const flags = Object.keys(filters).join(", ");
  throw new ServiceError("CLI_USAGE", `Name a run, or choose runs with ${flags}.`);
}
