import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isValidElement } from "react";
import { expect, it } from "vitest";
import { z } from "zod";
import { bundleWorkflow } from "../../src/loader/bundle-workflow.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const FILES = {
  "flow.cjs":
    'module.exports = [require("react").createElement("p"), require("zod").z, require("fs").existsSync(__filename)];',
  "flow.cts":
    'import React = require("react"); import zod = require("zod"); import fs = require("fs");\nexport = [React.createElement("p"), zod.z, fs.existsSync(__filename)];',
};

it.each(Object.entries(FILES))(
  "%s requires the library's React, what it is lent, and Node's own",
  async (name, text) => {
    const cwd = temporaryFolder("required");
    const entry = join(cwd, name);
    writeFileSync(entry, text);
    const outfile = join(cwd, "flow.mjs");
    const resolveOwn = (own: string) => import.meta.resolve(own);
    const { code, hash } = await bundleWorkflow({ entry, outfile, cwd, resolveOwn });
    await hash;
    writeFileSync(outfile, code);
    const { default: found } = (await import(outfile)) as {
      default: [unknown, { object: unknown }, boolean];
    };
    expect(isValidElement(found[0])).toBe(true);
    expect(typeof found[1].object).toBe(typeof z.object);
    expect(found[2]).toBe(true);
  },
);
