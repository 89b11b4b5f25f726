import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { functionText } from "../../src/graph/function-text.js";
import { bundleWorkflow } from "../../src/loader/bundle-workflow.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const CODE = String.raw`
const a: any = {};
class Foo { static n = 1; }
export const list = async () => { const list=[1,2]; return {d:String(list.length)}; };
export const letters = (n: string) => ['it\'s "q" …é 💡\n', ${"`${n}… é`"}, /[/"']é/u.source, '\u00e9'];
export const numbers = () => [1_000, 0.5, 0xff, 10n, -1, undefined, void 0, Infinity];
export const defaults = ({ q = 2, r: [s, , t] = [1, , 3] }: any = {}, p = 1, ...more: number[]) => [p, q, s, t, more];
export const nested = () => { function k() { return 1 } const g = (v: number) => v + k(); return [g, function () {}, { f: () => {}, async m() {} }] };
export async function* items() { for await (const v of a) { yield v; } for (;;) { break } do { a() } while (a); if (a) {} ; }
export const classes = () => { class A extends Foo { #p = 1; bar = () => this.#p; static { a() } }; const B = class { x = 1 }; return [new A, new B(), new a.b(), new (a())(), new Foo().toString, new class {}(), new Date()] };
export const chains = () => { let o = a?.b?.[1]?.(2) ?? a; o ??= () => 1; return o };
export const shadows = () => { const a = 5; return [1].map((b) => { const a = b; return { a } }) };
export const elements = (lines: string[]) => <p id="1">hi {lines} <b/>{lines.map((v) => <i key={v}>{v} é</i>)}<><u {...a} /></></p>;
export const made = () => [new Date().getFullYear(), new Set([1]).has(1), new Map().size, [...new Set(a())], { ...new Date() }, !new Map(), (new Date()) > a];
export const place = () => [import.meta.url];
`;
const SHOW =
  "import(process.argv[1]).then((m) => console.log(JSON.stringify(Object.fromEntries(Object.entries(m).map(([k, f]) => [k, String(f)])))))";

it("a function has one text in the workflow loader and under tsx", async () => {
  const cwd = temporaryFolder("text");
  symlinkSync(resolve("node_modules"), join(cwd, "node_modules"));
  const jsx = { jsx: "react-jsx", jsxImportSource: "react" };
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: jsx }));
  writeFileSync(join(cwd, "package.json"), '{"type":"module"}');
  // Any JSX runtime does: the functions are only looked at.
  const entry = join(cwd, "flow.tsx");
  writeFileSync(entry, CODE);
  const outfile = join(cwd, "flow.mjs");
  const bundle = await bundleWorkflow({
    entry,
    outfile,
    cwd,
    resolveOwn: () => import.meta.resolve("react/jsx-dev-runtime"),
  });
  await bundle.hash;
  writeFileSync(outfile, bundle.code);
  const show = (file: string, ...flags: string[]) => {
    const args = [...flags, "--input-type=module", "-e", SHOW, pathToFileURL(file).href];
    return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: "utf8" })) as Record<
      string,
      string
    >;
  };
  const ours = show(outfile);
  const theirs = show(entry, "--import", "tsx");

  expect(Object.keys(theirs)).toHaveLength(CODE.match(/^export /gm)?.length ?? 0);
  for (const [name, source] of Object.entries(theirs)) {
    expect(functionText(source), name).toBe(functionText(ours[name] as string));
  }
});
