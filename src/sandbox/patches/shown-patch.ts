/** The id of no content. */
const NOTHING = /^0+$/;
/** Git's text of a binary file, with the ids of what it was and what it is. Nothing in it begins as a file's header does. */
const BINARY = /^index ([0-9a-f]+)\.\.([0-9a-f]+)(.*)\nGIT binary patch\n(?:(?!diff --git ).*\n?)*/gm;

/** The contents that the patch has as bytes, by git's ids. */
export function binaryIds(patch: string): string[] {
  return [...patch.matchAll(BINARY)].flatMap(([, before = "", after = ""]) =>
    [before, after].filter((id) => !NOTHING.test(id)),
  );
}

/** A patch for people: of a binary file it says how many bytes it has, and had. */
export function shownPatch(patch: string, sizes: ReadonlyMap<string, number>): string {
  const size = (id: string) => `${sizes.get(id) ?? "an unknown number of"} bytes`;
  return patch.replace(BINARY, (_all, before: string, after: string, mode: string) => {
    const said = NOTHING.test(after)
      ? `binary, was ${size(before)}`
      : NOTHING.test(before)
        ? `binary, ${size(after)}`
        : `binary, ${size(after)}, was ${size(before)}`;
    return `index ${before}..${after}${mode}\n${said}\n`;
  });
}

/** Whether a patch for people has a file as bytes. */
export function isShownBinary(patch: string, path: string): boolean {
  const begin = `\n${patch}`.indexOf(`\ndiff --git a/${path} b/${path}\n`);
  if (begin < 0) return false;
  const end = patch.indexOf("\ndiff --git ", begin + 1);
  return /^(?:GIT binary patch$|binary, )/m.test(patch.slice(begin, end < 0 ? undefined : end));
}
