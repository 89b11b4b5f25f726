import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { OnLoadResult } from "esbuild";

interface MdxCompiler {
  compile(
    file: { value: string; path: string },
    options: { jsxImportSource: string },
  ): Promise<{ toString(): string }>;
}

/** An error of the MDX compiler, as far as it is read here. */
interface MdxMessage {
  reason?: string;
  line?: number;
  column?: number;
}

/** The component that an `.mdx` file is where its project has a compiler for it; undefined where it has none. */
export async function compileMdx(
  path: string,
  text: string,
  onCompiler: (file: string) => void,
): Promise<OnLoadResult | undefined> {
  const compiler = await compilerOf(path, onCompiler);
  if (compiler === undefined) return undefined;
  try {
    const code = await compiler.compile({ value: text, path }, { jsxImportSource: "treadle" });
    return { contents: String(code), loader: "js" };
  } catch (error) {
    const { reason, line = 1, column = 1 } = error as MdxMessage;
    const lineText = text.split("\n")[line - 1] ?? "";
    const location = { file: path, line, column: column - 1, lineText };
    return { errors: [{ text: reason ?? String(error), location }] };
  }
}

async function compilerOf(
  path: string,
  onCompiler: (file: string) => void,
): Promise<MdxCompiler | undefined> {
  let place: string;
  try {
    place = createRequire(path).resolve("@mdx-js/mdx");
  } catch {
    return undefined;
  }
  onCompiler(place);
  return (await import(pathToFileURL(place).href)) as MdxCompiler;
}
