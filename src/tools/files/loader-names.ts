import { basename, dirname } from "node:path";

/** Endings that a loader may put behind a name, more than once as in `lib.js.tsx`, before it takes the file that is there. */
const ENDINGS = /^(?:\.(?:[cm]?[jt]sx?|json|css|mdx?|txt))*$/;
const INDEX = "index";
/** They decide what the imports of everything below them mean. */
const CONFIGURATION = /^(?:package|[tj]sconfig(?:\..*)?)\.json$|^\.pnp\./;
/** Started by the next `treadle gateway`, in whatever folder. */
const GATEWAY = "treadle.gateway";

/**
 * Whether a new file would be loaded in the place of a module, or decide which one is. Folders and
 * names are compared in the plain spelling that the caller has brought them to.
 * @param modules absolute paths of the running workflow's files
 */
export function isLoadersChoice(place: string, modules: readonly string[]): boolean {
  const [folder, name] = [dirname(place), basename(place)];
  if (isNamed(name, GATEWAY)) return true;
  return modules.some((module) => {
    const home = dirname(module);
    if (CONFIGURATION.test(name) && (home === folder || home.startsWith(`${folder}/`))) return true;
    if (home === folder && isNamed(name, stemOf(module))) return true;
    // `./parts` is `parts.tsx` before it is `parts/index.ts`.
    return stemOf(module) === INDEX && dirname(home) === folder && isNamed(name, basename(home));
  });
}

/** Without the endings that a loader puts there: `a.b.ts` is also found as `a.b`. */
function stemOf(module: string): string {
  return basename(module).replace(/\.(?:[cm]?[jt]sx?|json|mdx?|txt)$/, "");
}

function isNamed(name: string, stem: string): boolean {
  return name.startsWith(stem) && ENDINGS.test(name.slice(stem.length));
}
