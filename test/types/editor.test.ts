import { join } from "node:path";
import ts from "typescript-5";
import { afterAll, beforeAll, expect, it } from "vitest";
import { consumerFolder, type ConsumerFolder, ROOT } from "./support/built-types.js";

const HEAD = `import { createService } from "treadle";
import { z } from "zod";
const service = createService({ row: z.object({ n: z.number() }) });
`;

let consumer: ConsumerFolder;
let editor: ts.LanguageService;
let text = HEAD;
let version = 0;
const fileName = () => join(consumer.folder, "consumer.tsx");

/** As an editor does it: a language service over a file that is being written. */
beforeAll(() => {
  consumer = consumerFolder("consumer.tsx", HEAD);
  const config = ts.readConfigFile(join(consumer.folder, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, consumer.folder);
  editor = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [fileName()],
    getScriptVersion: (name) => (name === fileName() ? String(version) : "0"),
    getScriptSnapshot(name) {
      const content = name === fileName() ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
  });
});
afterAll(() => {
  editor.dispose();
  consumer.remove();
});

function write(more: string): void {
  text = `${HEAD}${more}`;
  version += 1;
}

/** What an editor offers at the end of the text. */
function offered(before: string): ts.CompletionEntry[] {
  write(before);
  return editor.getCompletionsAtPosition(fileName(), text.length, { includeSymbol: true })?.entries ?? [];
}

/** What is shown over a word, at its last occurrence. */
function shownOver(word: string): string {
  const info = editor.getQuickInfoAtPosition(fileName(), text.lastIndexOf(word));
  return ts.displayPartsToString(info?.documentation);
}

/** What is shown beside a name in the list of names. */
function shownBeside({ symbol }: ts.CompletionEntry): string {
  const checker = editor.getProgram()?.getTypeChecker();
  return ts.displayPartsToString(symbol?.getDocumentationComment(checker));
}

const propsOf = (component: string) =>
  offered(`const { ${component} } = service;\nconst element = <${component} `)
    .filter(({ kind }) => kind === ts.ScriptElementKind.memberVariableElement)
    // React's own.
    .filter(({ name }) => name !== "key");

it("an editor explains every component, and every prop of it", () => {
  const names = offered("service.")
    .map(({ name }) => name)
    .filter((name) => /^[A-Z]/.test(name));
  expect(names).toEqual(expect.arrayContaining(["Workflow", "Task", "Loop", "Approval", "Saga", "Poller"]));
  const silent: string[] = [];
  for (const name of names) {
    const props = propsOf(name);
    expect(props.length, name).toBeGreaterThan(0);
    silent.push(...props.filter((prop) => shownBeside(prop) === "").map((prop) => `${name}.${prop.name}`));
    if (shownOver(`${name} }`) === "") silent.push(name);
  }
  expect(silent).toEqual([]);
});

it("an editor explains components and props where they are used", () => {
  write(`const { Task, outputs } = service;
const element = <Task id="a" output={outputs.row} retries={2} deps={{ b: outputs.row }} needs={{ b: "c" }}>{() => ({ n: 1 })}</Task>;`);
  for (const word of ["Task id", "id=", "output=", "retries=", "deps=", "needs="]) {
    expect(shownOver(word), word).not.toBe("");
  }
});
