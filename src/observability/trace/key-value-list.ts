/** `name=value,other=value`, percent-encoded, as the OTEL_ variables have it. What is not of that form is left out. */
export function keyValueList(text = ""): Record<string, string> {
  const entries = text.split(",").flatMap((pair): [string, string][] => {
    const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
    return name === "" ? [] : [[name, decoded(value.trim())]];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
