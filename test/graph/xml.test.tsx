import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { xmlText } from "../../src/graph/xml-text.js";
import { outputs, rig } from "../support/render-workflow.js";

const { Approval, Branch, ContinueAsNew, Loop, Parallel, Sequence, Signal, Subflow, Task, Timer, Workflow } =
  components;
const agent = { id: "writer", generate: async () => "" };

const xmlOf = (children: ReactNode) => rig(() => <Workflow name="w">{children}</Workflow>).render().xml;
const linesOf = (children: ReactNode) =>
  xmlText(xmlOf(children))
    .split("\n")
    .slice(1, -1)
    .map((line) => line.slice(2));

describe("the XML of a frame", () => {
  it("shows structure, ids and plain props", () => {
    expect(
      linesOf(
        <>
          <Parallel id="p" maxConcurrency={2} skipIf={false}>
            <Task
              id="a"
              output={outputs.note}
              dependsOn={["x", "y"]}
              retries={Number.POSITIVE_INFINITY}
              label="A"
            >
              {{ text: "row" }}
            </Task>
          </Parallel>
          <Branch if={false} then={null} else={<Timer id="t" until={new Date(0)} />} />
          <Signal id="s" schema="note" correlationId="c" />
        </>,
      ),
    ).toEqual([
      '<Parallel id="p" maxConcurrency="2" skipIf="false">',
      '  <Task id="a" output="note" dependsOn="[&quot;x&quot;,&quot;y&quot;]" retries="Infinity" label="A" />',
      "</Parallel>",
      '<Branch if="false">',
      '  <Timer id="t" until="1970-01-01T00:00:00.000Z" />',
      "</Branch>",
      '<Signal id="s" schema="note" correlationId="c" />',
    ]);
  });

  it("names agents and deps instead of showing what they hold", () => {
    expect(
      linesOf(
        <Task id="a" output="note" agent={[agent, { generate: async () => "" }]} deps={{ n: outputs.note }}>
          prompt
        </Task>,
      ),
    ).toEqual([
      '<Task id="a" output="note" agent="writer agent" deps="[&quot;n&quot;]">',
      "  prompt",
      "</Task>",
    ]);
  });

  it("leaves rows, functions, inputs, states and metadata out", () => {
    const text = xmlText(
      xmlOf(
        <>
          <Task id="row" output="note" children={{ text: "SECRET" }} />
          <Task
            id="fn"
            output="note"
            cache={{ by: () => "SECRET", key: "SECRET" }}
            children={() => ({ text: "SECRET" })}
          />
          <Subflow id="sub" output="note" workflow={{ build: () => null }} input={{ key: "SECRET" }} />
          <Approval
            id="ask"
            output="choice"
            request={{ title: "Continue?", metadata: { key: "SECRET" } }}
            mode="select"
            options={[{ key: "a", label: "A", metadata: { key: "SECRET" } }]}
            autoApprove={{ condition: () => true }}
          />
          <ContinueAsNew state={{ key: "SECRET" }} />
        </>,
      ),
    );
    expect(text).not.toContain("SECRET");
    expect(text.match(/id="\w+"/g)).toHaveLength(4);
  });

  it("carries prompts, questions, requests and options as texts", () => {
    const { HumanTask } = components;
    expect(
      linesOf(
        <>
          <Task id="text" output="note" agent={agent} children="Write & send" />
          <Task id="markup" output="note" agent={agent}>
            <p>
              Write <b>it</b>
            </p>
          </Task>
          <Task id="made" output="note" agent={agent} children={() => "later"} />
          <HumanTask id="human" output="note" prompt="What is it?" />
          <Approval
            id="ask"
            output="choice"
            mode="select"
            request={{ title: "Which?", summary: "Of two" }}
            options={[
              { key: "a", label: "A" },
              { key: "b", label: "B" },
            ]}
          />
        </>,
      ).filter((line) => !line.startsWith("</")),
    ).toEqual([
      '<Task id="text" output="note" agent="writer">',
      "  Write &amp; send",
      '<Task id="markup" output="note" agent="writer">',
      "  Write **it**",
      '<Task id="made" output="note" agent="writer" />',
      '<HumanTask id="human" output="note">',
      "  What is it?",
      '<Approval id="ask" mode="select" output="choice">',
      "  Which?",
      "  Of two",
      "  a: A",
      "  b: B",
    ]);
  });

  it("shows the beginning of a long text and how much more there is", () => {
    const xml = xmlOf(<Task id="a" output="note" agent={agent} children={"x".repeat(2_100)} />);
    expect(xmlText(xml)).toContain(`${"x".repeat(2_000)}… (100 characters more)`);
  });

  it("is another one when a prompt is, and the same one when it is not", () => {
    let prompt = "first";
    const flow = rig(() => (
      <Workflow name="w">
        <Task id="a" output="note" agent={agent} children={prompt} />
      </Workflow>
    ));
    const first = flow.render();
    expect(flow.render()).toBe(first);
    prompt = "second";
    const second = flow.render();
    expect(xmlText(second.xml)).toContain("second");
    expect(second.plan).toBe(first.plan);
  });

  it("says which iteration of a loop is mounted, at the loop only", () => {
    const flow = rig(() => (
      <Workflow name="w">
        <Loop id="outer" maxIterations={3}>
          <Sequence>
            <Loop id="inner">
              <Timer id="t" duration={1} />
            </Loop>
          </Sequence>
        </Loop>
      </Workflow>
    ));
    flow.setIteration("outer", 1);
    flow.setIteration("inner@@outer=1", 2);
    expect(xmlText(flow.render().xml).split("\n")).toEqual([
      '<Workflow name="w">',
      '  <Loop id="outer" iteration="1" maxIterations="3">',
      "    <Sequence>",
      '      <Loop id="inner@@outer=1" iteration="2">',
      '        <Timer id="t@@outer=1" duration="1" />',
      "      </Loop>",
      "    </Sequence>",
      "  </Loop>",
      "</Workflow>",
    ]);
  });

  it("shares the body of a loop between iterations", () => {
    const flow = rig(() => (
      <Workflow name="w">
        <Loop id="l">
          <Timer id="t" duration={1} />
        </Loop>
      </Workflow>
    ));
    const body = () => {
      const { xml } = flow.render();
      const loop = xml?.kind === "element" ? xml.children[0] : undefined;
      return loop?.kind === "element" ? loop.children[0] : undefined;
    };
    const before = body();
    flow.setIteration("l", 1);
    expect(body()).toBe(before);
  });
});

describe("XML text", () => {
  const element = (props: Record<string, string>, text?: string) =>
    xmlText({
      kind: "element",
      tag: "T",
      props,
      children: text === undefined ? [] : [{ kind: "text", text }],
    });

  it("of nothing is empty", () => {
    expect(xmlText(null)).toBe("");
  });

  it("escapes what would end a value or an element", () => {
    expect(element({ a: `<"&'>` }, "<&>")).toBe(`<T a="&lt;&quot;&amp;'&gt;">\n  &lt;&amp;&gt;\n</T>`);
  });

  it("keeps line breaks and tabs in values", () => {
    expect(element({ a: "1\n2\r\t3" })).toBe('<T a="1&#10;2&#13;&#9;3" />');
  });

  it("replaces characters that XML cannot hold", () => {
    expect(element({ a: "x\u0000y\u001bz\uffff" })).toBe('<T a="x\ufffdy\ufffdz\ufffd" />');
  });
});
