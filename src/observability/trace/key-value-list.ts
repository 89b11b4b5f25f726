import { ServiceError } from "../../errors/service-error.js";

const EXPECTED = "`name=value` pairs that are separated by commas, their values percent-encoded";

/**
 * The headers of OTEL_EXPORTER_OTLP_HEADERS.
 * @throws INVALID_INPUT naming the variable, and never its value
 */
export function exportHeaders(): Record<string, string> {
  return keyValueList("OTEL_EXPORTER_OTLP_HEADERS", (pair) => {
    try {
      return new Headers([pair]).has(pair[0]);
    } catch {
      return false;
    }
  });
}

/** The attributes of OTEL_RESOURCE_ATTRIBUTES. @throws INVALID_INPUT naming the variable */
export function resourceAttributes(): Record<string, string> {
  return keyValueList("OTEL_RESOURCE_ATTRIBUTES", () => true);
}

function keyValueList(
  variable: string,
  fits: (pair: [name: string, value: string]) => boolean,
): Record<string, string> {
  const pairs = (process.env[variable] ?? "").split(",").map((text) => text.trim());
  const entries = pairs.flatMap((text, index): [string, string][] => {
    if (text === "") return [];
    const pair = parsePair(text);
    if (pair !== undefined && fits(pair)) return [pair];
    const option = `${variable} (environment)`;
    // The text may be a credential.
    throw new ServiceError(
      "INVALID_INPUT",
      `Option ${option}: expected ${EXPECTED}; pair ${index + 1} is none.`,
      {
        details: { option, expected: EXPECTED },
      },
    );
  });
  return Object.fromEntries(entries);
}

function parsePair(text: string): [name: string, value: string] | undefined {
  const [, name, value = ""] = /^([^=\s]+)\s*=\s*(.*)$/s.exec(text) ?? [];
  try {
    return name === undefined ? undefined : [name, decodeURIComponent(value)];
  } catch {
    return undefined;
  }
}
