import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";

const built = pathToFileURL(join(import.meta.dirname, "../../dist/src/startup/compiled-script.js")).href;
const folders: string[] = [];

/** A folder with a script whose value is `text`. */
function scriptOf(text: string): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), "treadle-startup-"));
  folders.push(folder);
  const path = join(folder, "library.cjs");
  writeFileSync(path, `(() => { "use strict"; return ${JSON.stringify(text)}; })\n`);
  return { folder, path };
}

/** A process that evaluates the script and prints what it says; `keeps`: as one that drives a workflow. */
function evaluate(
  path: string,
  { keeps = true, env = {} }: { keeps?: boolean; env?: NodeJS.ProcessEnv } = {},
) {
  const program = `
    import { evaluateScript, keepCompiledCode } from ${JSON.stringify(built)};
    console.log(evaluateScript(${JSON.stringify(path)})());
    ${keeps ? "keepCompiledCode(); keepCompiledCode();" : ""}
  `;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "", ...env },
  });
  return { said: child.stdout.trim(), stderr: child.stderr, code: child.status };
}

/** With the checksums that `made` would have. */
function whole(code: Buffer, made: Buffer): Buffer {
  const head = Buffer.from(made.subarray(0, 8));
  head.writeUInt32LE(crc32(code), 4);
  return Buffer.concat([head, code]);
}

/** A process that evaluates the library's script, when there is one, and then a module; its exports, as JSON. */
function evaluatePackage(path: string, library?: string): unknown {
  const program = `
    import { evaluateModule, evaluateScript, keepCompiledCode } from ${JSON.stringify(built)};
    ${library === undefined ? "" : `evaluateScript(${JSON.stringify(library)});`}
    console.log(JSON.stringify(evaluateModule(${JSON.stringify(path)})));
    keepCompiledCode();
  `;
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "" };
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env,
  });
  return JSON.parse(child.stdout);
}

/** A package of the library with a module that requires one beside it. */
function packageOf(text: string): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), "treadle-startup-"));
  folders.push(folder);
  const path = join(folder, "package.cjs");
  writeFileSync(join(folder, "beside.cjs"), `exports.text = ${JSON.stringify(text)};`);
  writeFileSync(path, '"use strict"; module.exports = { said: require("./beside.cjs").text, own: "é" };');
  return { folder, path };
}

function keptIn(folder: string): string[] {
  const kept = join(folder, ".compiled");
  return existsSync(kept) ? readdirSync(kept).map((name) => join(kept, name)) : [];
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe("the library's compiled code", () => {
  it("is kept beside the script by a process that drives workflows, for this version of Node", () => {
    const { folder, path } = scriptOf("hello");
    expect(evaluate(path)).toEqual({ said: "hello", stderr: "", code: 0 });
    expect(keptIn(folder)).toEqual([join(folder, ".compiled", `library-${process.version}-${process.arch}`)]);
  });

  it("is taken by later processes, which write nothing again", () => {
    const { folder, path } = scriptOf("hello");
    evaluate(path);
    const [kept = ""] = keptIn(folder);
    const before = statSync(kept).ino;
    expect(evaluate(path).said).toBe("hello");
    expect(keptIn(folder)).toEqual([kept]);
    // What is written takes the place of the file that was there.
    expect(statSync(kept).ino).toBe(before);
  });

  it("is kept by a process that is killed once it has used most of what runs need", () => {
    const { folder, path } = scriptOf("hello");
    const program = `
      import { evaluateScript, keepCompiledCode, writeCompiledCode } from ${JSON.stringify(built)};
      evaluateScript(${JSON.stringify(path)})();
      keepCompiledCode();
      writeCompiledCode();
      process.kill(process.pid, "SIGKILL");
    `;
    const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "" };
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", program], { env });
    expect(child.signal).toBe("SIGKILL");
    expect(keptIn(folder)).toHaveLength(1);
  });

  it("is not kept by a process that runs no workflow", () => {
    const { folder, path } = scriptOf("hello");
    expect(evaluate(path, { keeps: false }).said).toBe("hello");
    expect(keptIn(folder)).toEqual([]);
  });

  it.each([
    ["is cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["is empty", () => Buffer.alloc(0)],
    [
      "has a changed byte",
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(~(bytes.at(-1) ?? 0))]),
    ],
    [
      "was made by another engine",
      (bytes: Buffer) => whole(Buffer.from("bytecode of another engine, and whole"), bytes),
    ],
  ])("is made anew when what is there %s", (_, damage) => {
    const { folder, path } = scriptOf("hello");
    evaluate(path);
    const [kept = ""] = keptIn(folder);
    const made = readFileSync(kept);
    writeFileSync(kept, damage(made));
    expect(evaluate(path)).toEqual({ said: "hello", stderr: "", code: 0 });
    expect(readFileSync(kept).length).toBe(made.length);
    expect(keptIn(folder)).toEqual([kept]);
  });

  it("is made anew for a script that was changed, also to one of the same length", () => {
    const { folder, path } = scriptOf("hello");
    evaluate(path);
    writeFileSync(path, readFileSync(path, "utf8").replace("hello", "jello"));
    expect(evaluate(path).said).toBe("jello");
    expect(evaluate(path).said).toBe("jello");
    expect(keptIn(folder)).toHaveLength(1);
  });

  it("is made anew where the installation was copied to: stacks tell the place that it has now", () => {
    const { folder, path } = scriptOf("hello");
    writeFileSync(path, '(() => new Error("where").stack.split("\\n")[1])\n');
    expect(evaluate(path).said).toContain(path);
    const copy = `${folder}-copy`;
    folders.push(copy);
    cpSync(folder, copy, { recursive: true });
    const moved = join(copy, "library.cjs");
    expect(evaluate(moved).said).toContain(moved);
    expect(evaluate(moved).said).toContain(moved);
  });

  it("is not used in a context with globals of its own, as some test runners make them", () => {
    const { folder, path } = scriptOf("hello");
    writeFileSync(path, "(() => Array)");
    const program = `
      import vm from "node:vm";
      import { readFileSync } from "node:fs";
      import { fileURLToPath } from "node:url";
      const context = vm.createContext({ process, Buffer });
      const load = (url) => new vm.SourceTextModule(readFileSync(fileURLToPath(url), "utf8"), { context, identifier: url });
      const link = async (specifier, { identifier }) => {
        if (specifier.startsWith(".")) return load(new URL(specifier, identifier).href);
        const module = await import(specifier);
        return new vm.SyntheticModule(Object.keys(module), function () {
          for (const [name, value] of Object.entries(module)) this.setExport(name, value);
        }, { context });
      };
      const module = load(${JSON.stringify(built)});
      await module.link(link);
      await module.evaluate();
      const { evaluateScript, keepCompiledCode } = module.namespace;
      keepCompiledCode();
      console.log(evaluateScript(${JSON.stringify(path)})() === vm.runInContext("Array", context));
    `;
    const args = ["--experimental-vm-modules", "--no-warnings", "--input-type=module", "-e", program];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: "true", stderr: "" });
    expect(keptIn(folder)).toEqual([]);
  });

  it("is not missed where nothing can be written", () => {
    const { folder, path } = scriptOf("hello");
    // A file where the folder would be: root may write into any folder.
    writeFileSync(join(folder, ".compiled"), "");
    expect(evaluate(path)).toEqual({ said: "hello", stderr: "", code: 0 });
  });

  it("is neither read nor kept with NODE_DISABLE_COMPILE_CACHE=1", () => {
    const { folder, path } = scriptOf("hello");
    expect(evaluate(path, { env: { NODE_DISABLE_COMPILE_CACHE: "1" } }).said).toBe("hello");
    expect(keptIn(folder)).toEqual([]);
  });
});

describe("the compiled code of a package that the library brings along", () => {
  it("is kept with the library's, and its module is what requiring it gives", () => {
    const library = scriptOf("hello");
    const { folder, path } = packageOf("hello");
    writeFileSync(path, readFileSync(path, "utf8").replace("é", "e"));
    const exported = { said: "hello", own: "e" };
    expect(evaluatePackage(path, library.path)).toEqual(exported);
    expect(keptIn(library.folder).filter((file) => file.includes("package"))).toHaveLength(1);
    expect(evaluatePackage(path, library.path)).toEqual(exported);
    expect(keptIn(folder)).toEqual([]);
  });

  it("is not kept of a module with other than ASCII characters, nor where the library is no script", () => {
    const library = scriptOf("hello");
    const { folder, path } = packageOf("hello");
    const exported = { said: "hello", own: "é" };
    expect(evaluatePackage(path, library.path)).toEqual(exported);
    expect(evaluatePackage(path)).toEqual(exported);
    expect([...keptIn(library.folder), ...keptIn(folder)].filter((file) => file.includes("package"))).toEqual(
      [],
    );
  });
});
