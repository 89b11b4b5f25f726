import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { errorCodeEntry } from "../src/errors/codes.js";
import * as content from "./support/architecture/content-rules.js";
import * as imports from "./support/architecture/import-rules.js";
import { findDifferingDefaults } from "./support/architecture/option-defaults.js";
import * as naming from "./support/architecture/naming-rules.js";
import { readSources, type SourceFile } from "./support/architecture/source-file.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const everything = readSources(root, ["src", "jsx-runtime", "examples", "bench", "test"]);
const inFolders = (...folders: string[]) =>
  everything.filter(({ path }) => folders.some((f) => path.startsWith(f)));

const shipped = inFolders("src/", "jsx-runtime/");
const src = inFolders("src/");
const pure = inFolders("src/model/", "src/graph/", "src/scheduler/");

function expectNone(offenders: readonly string[], advice: string): void {
  const message = `${offenders.length} offender(s). ${advice}\n  ${offenders.join("\n  ")}\n`;
  expect(offenders, message).toHaveLength(0);
}

function except(files: readonly SourceFile[], folder: string): SourceFile[] {
  return files.filter(({ path }) => !path.startsWith(folder));
}

describe("imports", () => {
  it("go to the own folder or to a lower rank, types included", () => {
    expectNone(
      imports.findUpwardImports(shipped),
      "Move the shared part to a lower folder, hand it in as an argument or a port, or wire it in operations. " +
        "A new folder gets a rank in test/support/architecture/house-plan.ts.",
    );
  });

  it("form no cycle between files, types included", () => {
    expectNone(
      imports.findImportCycles(shipped),
      "Move what both sides need into a small file that imports neither.",
    );
  });

  it("of what a large folder has come by its index", () => {
    expectNone(
      imports.findImportsPastDoors(shipped),
      "Import it from the folder's index.ts, which lists what others may use: is it meant for them?",
    );
  });

  it("of quarantined packages stay in the folders that hide them", () => {
    expectNone(
      imports.findEscapedPackages(shipped),
      "Offer what you need from the package as a function of its home folder and call that.",
    );
  });

  it("of the pure folders reach nothing outside", () => {
    expectNone(
      imports.findIslandImports(shipped),
      "Take the value as an argument, or do this work in a folder of a higher rank.",
    );
  });

  it("of packages are declared, so that an installation brings them along", () => {
    const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as Record<
      string,
      object | undefined
    >;
    const declared = ["dependencies", "peerDependencies", "optionalDependencies"];
    expectNone(
      imports.findUndeclaredPackages(
        // The operator's page is built with what it needs.
        except(shipped, "src/console/"),
        declared.flatMap((kind) => Object.keys(manifest[kind] ?? {})),
      ),
      "Declare the package in package.json: as a dependency, or as an optional peer if it is loaded lazily.",
    );
  });
});

describe("code", () => {
  it("comes in files of at most 400 lines", () => {
    expectNone(content.findLongFiles(everything, 400), "Split the file by idea.");
  });

  it("throws ServiceError rather than a built-in error", () => {
    expectNone(
      content.findBuiltInThrows(except(src, "src/util/")),
      "Throw a ServiceError with a code from src/errors/codes, so that the reader learns what to do next.",
    );
  });

  it("throws no error code that the error reference does not explain", () => {
    expectNone(
      content.findUndocumentedCodes(src, (code) => errorCodeEntry(code) !== undefined),
      "Add the code to its family in src/errors/codes, then run `npm run docs:errors`.",
    );
  });

  it("of model, graph and scheduler reads neither time nor chance nor the process", () => {
    expectNone(content.findImpureReads(pure), "Take the time, the id or the setting as an argument.");
  });

  it("says of an option's default what its docstring says", () => {
    expectNone(
      findDifferingDefaults(src),
      "State the default in the option's rule, `withDefault(rule, value)`, read it from what `checkOptions` returns, " +
        "and write the same value after @default; words such as `@default a random id` stand where there is no literal.",
    );
  });

  it("of the scheduler is synchronous", () => {
    expectNone(
      content.findAsyncCode(inFolders("src/scheduler/")),
      "Return a command and let the engine perform it; its result comes back as an event.",
    );
  });

  it("builds no schema when it is loaded", () => {
    const published = "src/model/approval-rows.ts";
    // The gateway is loaded by those who serve one.
    const atStart = except(shipped, "src/hosts/gateway/").filter(({ path }) => path !== published);
    expectNone(
      content.findSchemasAtLoad(atStart),
      "Make it with `once` from src/util/once.ts: every process pays for what is built while modules load.",
    );
  });

  it("keeps no mutable state in modules", () => {
    expectNone(
      content.findTopLevelVariables(shipped),
      "Make it a const, or a member of an object that a factory creates.",
    );
  });

  it("writes to the console in the command line only", () => {
    expectNone(
      content.findConsoleUses(except(shipped, "src/cli/")),
      "Emit an event, use the logger, or return the text to the caller.",
    );
  });

  it("draws nothing in tests that cannot be drawn again", () => {
    const homes = ["test/support/property-tests.ts", "test/support/crash/random.ts"];
    expectNone(
      content.findUnseededChance(inFolders("test/").filter(({ path }) => !homes.includes(path))),
      `Draw from ${homes.join(" or ")}: the seed is fixed, or printed.`,
    );
  });

  it("of tests leaves no temporary folder behind", () => {
    expectNone(
      content.findLeftFolders(inFolders("test/")),
      "Take the folder from test/support/temporary-folder.ts, or remove it when the test has ended.",
    );
  });

  it("leaves the making and parsing of addresses to one place each", () => {
    const homes = ["src/model/address.ts", "src/cli/output/task-name.ts"];
    expectNone(
      content.findHandmadeAddresses(src.filter(({ path }) => !homes.includes(path))),
      "Use src/model/address.ts; for people, taskName of src/cli/output/task-name.ts.",
    );
  });

  it("exports no function of more than three positional parameters", () => {
    expectNone(content.findLongParameterLists(src, 3), "Take one options object.");
  });

  it("names the process, the person or the code that a comment or message is about", () => {
    expectNone(content.findVagueWords(src), "Say who is meant: another process, the decider, the caller.");
  });

  it("postpones no work in comments", () => {
    expectNone(content.findPostponedWork(shipped), "Do it now, or leave it out.");
  });
});

describe("names", () => {
  it("of files are kebab-case, or PascalCase.tsx for the component that they export", () => {
    expectNone(naming.findMisnamedFiles(everything), "Rename the file.");
  });

  it("of files and exports say what the thing does", () => {
    expectNone(
      naming.findBannedNames(shipped),
      "Name it after its job; a word like Helper or Manager fits anything and so says nothing.",
    );
  });

  it("of exported types are declared in one file only", () => {
    expectNone(
      naming.findTypesDeclaredTwice(src),
      "Keep one declaration (domain types live in src/model) and import it, or name the other thing differently.",
    );
  });

  it("of exported functions are declared in one file only", () => {
    // Queries are called by the name of what they read, browser code is no neighbour, vocabularies are read as one text.
    const apart = /^src\/(?:store\/repositories|client|react|console)\//;
    const vocabularies = [
      "src/options/option-rules.ts",
      "src/store/columns/shape.ts",
      "src/cli/input/option-values.ts",
    ];
    expectNone(
      naming.findFunctionsDeclaredTwice(
        src.filter(({ path }) => !apart.test(path) && !vocabularies.includes(path)),
      ),
      "Whoever looks a function up finds another one: name one of them differently.",
    );
  });

  it("are exported one by one", () => {
    expectNone(naming.findStarExports(src), "List the names instead of `export *`.");
  });
});
