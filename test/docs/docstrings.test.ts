import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runEventTypes } from "../../src/model/events.js";
import { componentNames, memberTables } from "./support/declared.js";
import { type Documented, publicDeclarations } from "./support/docstrings.js";
import { allPages } from "./support/pages.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const declarations = publicDeclarations();
const components = declarations.filter(({ name }) => componentNames().includes(name));

/** Types that people write, and that operations answer with. */
const OPEN =
  /^(?:Scorer|XmlNode|RunState|LimitUse|NodeWait|StoredEvent|RunEvent|PathItem|OpenApiSpec|OpenApiCall|KanbanCard|AgentLike|EscalationCheck)$|(?:Props|Options|Request|Result|Policy|Filter|Explanation|Run|Row|View|Detail|List|Session|Error|Usage|Failure|Alert|Workflow|RunAuthContext|WorkflowContext|SerializedContext|Blocker|Task|Cap|Decision|Score|Binding|Page|Fact|Message|Thread|Namespace|MemoryConfig|RecallConfig|HistoryConfig|ProcessorConfig|AuthConfig|Remedy|Object|Info|Description|Snapshot|Descriptor|Ticket|Tally|Option|Reaction|Registry|Command|ToolOutput|ServiceDb|MemoryStore)$/;

/** Names that mean the same wherever they stand. */
const SAY_ALL = new Set(["runId", "nodeId", "iteration", "attempt", "key"]);
/** What tells the members of a union from one another. */
const DISCRIMINANTS = new Set(["kind", "type", "mode", "action"]);

const isSilent = ({ text, tags }: Documented) => text === "" && tags.length === 0;
const valuesOf = (tag: string, { tags }: Documented) =>
  tags.filter(({ name }) => name === tag).map(({ text }) => text);

/** The value that the cell of a table states; undefined where it says it in words. */
function statedValue(cell: string): string | undefined {
  return /^`([^`]+)`/.exec(cell)?.[1] ?? /^-?\d+$/.exec(cell)?.[0];
}

const bare = (text: string) => text.replaceAll(/["`]/g, "");

/** The value itself, which further words may follow; of a default that a page says in words, any words. */
function states(text: string, value: string): boolean {
  return value === "" || (text.startsWith(value) && !/^[\w.-]/.test(text.slice(value.length)));
}

describe("what an editor shows of the public names", () => {
  it("has words for each of them", () => {
    expect(declarations.length).toBeGreaterThan(300);
    const silent = declarations.filter(({ text }) => text === "");
    expect(silent.map(({ name, place }) => `${name}, ${place}`)).toEqual([]);
  });

  it("has words for each prop, option and field whose name does not say all", () => {
    const silent = declarations
      .filter(({ name }) => OPEN.test(name))
      .flatMap(({ name, members }) =>
        members
          .filter(
            (member) => isSilent(member) && !SAY_ALL.has(member.name) && !DISCRIMINANTS.has(member.name),
          )
          .map((member) => `${name}.${member.name}, ${member.place}`),
      );
    expect(silent).toEqual([]);
  });

  it("has words for each type of event: when it is written", () => {
    const folder = `${ROOT}src/model/events`;
    const events = readdirSync(folder).flatMap((file) => [
      ...readFileSync(`${folder}/${file}`, "utf8").matchAll(/^(.*)\n *defineEvent\("(\w+)"/gm),
    ]);
    expect(events.map(([, , type]) => type).sort()).toEqual(runEventTypes().sort());
    expect(events.filter(([, before]) => before?.endsWith("*/") !== true).map(([, , type]) => type)).toEqual(
      [],
    );
  });

  it("has the words for events and remedies in the package, too", () => {
    for (const [file, type] of [
      ["events", "RunEvent"],
      ["remedy", "Remedy"],
    ] as const) {
      const text = readFileSync(`${ROOT}dist/src/model/${file}.d.ts`, "utf8");
      const declared = new RegExp(`export type ${type} =([^]*?)\\n {6}\\};`).exec(text)?.[1] ?? "";
      const members = [...declared.matchAll(/^(.*)\n {8}(\w+)\??: /gm)];
      expect(members.length).toBeGreaterThan(20);
      const silent = members.filter(([, before, name = ""]) => !before?.endsWith("*/") && !SAY_ALL.has(name));
      expect(silent.map(([, , name]) => name)).toEqual([]);
    }
  });

  it("says in one form what is thrown: by codes, or by what throws the same", () => {
    const others = declarations
      .flatMap(({ name, place, text, tags, members }) => [
        { name, place, text, tags },
        ...members.map((member) => ({ ...member, name: `${name}.${member.name}` })),
      ])
      .filter(
        (one) =>
          /\bthrows `?[A-Z]+_/i.test(one.text) ||
          valuesOf("throws", one).some((thrown) => !/^(?:[A-Z]+_[A-Z_]+\b|what |as )/.test(thrown)),
      );
    expect(others.map(({ name, place }) => `${name}, ${place}`)).toEqual([]);
  });

  it("has an example and the page of each component", () => {
    expect(components.map(({ name }) => name).sort()).toEqual(componentNames().sort());
    const without = components.filter((component) => {
      // As code: the compiler takes the first word of a plain path for a name, and an editor shows a gap.
      const page = /^`(docs\/components\/[a-z-]+\.md)`$/.exec(valuesOf("see", component).join())?.[1];
      return (
        valuesOf("example", component).length === 0 || page === undefined || !existsSync(`${ROOT}${page}`)
      );
    });
    expect(without.map(({ name, place }) => `${name}, ${place}`)).toEqual([]);
  });

  it("has the defaults that the pages state", () => {
    const others = allPages()
      .flatMap(memberTables)
      .flatMap(({ page, owner, members }) => {
        const declared = declarations.find(({ name }) => name === owner)?.members ?? [];
        return members.flatMap(({ name, default: cell }) => {
          if (cell === null) return [];
          const value = bare(statedValue(cell) ?? "");
          return declared
            .filter((member) => member.name === name)
            .map((member) => ({ place: member.place, defaults: valuesOf("default", member).map(bare) }))
            .filter(({ defaults }) => defaults.length !== 1 || !states(defaults[0] ?? "", value))
            .map(({ place, defaults }) => `${owner}.${name}, ${place}: ${defaults}; ${page}: ${cell}`);
        });
      });
    expect(others).toEqual([]);
  });
});
