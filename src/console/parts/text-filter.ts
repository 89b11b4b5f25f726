/**
 * Whether a text has what is looked for, small and capital letters alike: a text, or an `/expression/`. Undefined: nothing is looked
 * for. An expression that is not finished yet is looked for as text.
 */
export function textFilter(wanted: string): ((text: string) => boolean) | undefined {
  if (wanted.trim() === "") return undefined;
  const [, source] = /^\/(.+)\/$/.exec(wanted) ?? [];
  if (source !== undefined) {
    try {
      const expression = new RegExp(source, "i");
      return (text) => expression.test(text);
    } catch {
      // Looked for as text.
    }
  }
  const part = wanted.toLowerCase();
  return (text) => text.toLowerCase().includes(part);
}
