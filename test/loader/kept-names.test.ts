import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundleWorkflow } from "../../src/loader/bundle-workflow.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("what two files name alike keeps its name in the bundle, and so do classes that know themselves", async () => {
  const cwd = temporaryFolder("names");
  const declared = `function Step() {}
class Refused extends Error { static most = 3; static one() { return new Refused(); } }
const Last = () => Step;`;
  writeFileSync(join(cwd, "part.ts"), `${declared}\nexport const part = [Step, Refused, Last];`);
  writeFileSync(
    join(cwd, "flow.ts"),
    `import { part } from "./part.js";\n${declared}\nexport default [Step, Refused, Last, ...part].map(({ name }) => name);`,
  );
  const outfile = join(cwd, "flow.mjs");
  const { code, hash } = await bundleWorkflow({
    entry: join(cwd, "flow.ts"),
    outfile,
    cwd,
    resolveOwn: (own) => own,
  });
  await hash;
  writeFileSync(outfile, code);
  const { default: names } = (await import(outfile)) as { default: string[] };
  expect(names).toEqual(["Step", "Refused", "Last", "Step", "Refused", "Last"]);
});
