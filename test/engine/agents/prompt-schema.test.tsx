import { memo, useState } from "react";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, useCtx, type WorkflowElement, type WorkflowNode } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

const verdict = z.object({ score: z.number().int().min(0) });
/** In draft 7, with objects closed, as the agent would get it. */
const ITS_SCHEMA = {
  type: "object",
  properties: { score: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
  required: ["score"],
  additionalProperties: false,
};

interface PromptProps {
  schema?: Record<string, unknown>;
  about?: string;
}

function MyPrompt({ schema, about = "the book" }: PromptProps) {
  return (
    <p>
      Rate {about}: {JSON.stringify(schema)}
    </p>
  );
}

/** What the agent of a task is asked. */
async function asked(
  prompt: WorkflowNode | (() => WorkflowNode),
  props: { output?: unknown; outputSchema?: unknown } = {},
): Promise<string> {
  const { api, run } = openScene({ verdict, input: z.object({ title: z.string() }) });
  const { Workflow, Task, outputs, service } = api;
  let question = "";
  const agent: AgentLike = {
    supportsNativeStructuredOutput: true,
    async generate(args) {
      question = String(args?.prompt);
      return { score: 4 };
    },
  };
  const workflow = service(() => (
    <Workflow name="asking">
      <Task id="ask" output={outputs.verdict} agent={agent} noRetry {...(props as object)}>
        {prompt}
      </Task>
    </Workflow>
  ));
  expect(await run(workflow, { input: { title: "Loom" } })).toMatchObject({ status: "finished" });
  return question;
}

const reported = (question: string) => JSON.parse(question.slice(question.indexOf("{")));

describe("a component as a prompt", () => {
  it.each<[string, WorkflowNode | (() => WorkflowNode)]>([
    ["between the tags", <MyPrompt key="a" />],
    ["among other parts", ["Please.", <MyPrompt key="a" />]],
    ["returned by the prompt function", () => <MyPrompt />],
  ])("gets the JSON Schema of the answer: %s", async (_where, prompt) => {
    expect(reported(await asked(prompt))).toEqual(ITS_SCHEMA);
  });

  it.each([
    ["the output's key", { output: "verdict" }, ITS_SCHEMA],
    [
      "the task's own schema",
      { outputSchema: z.object({ score: z.number().int().min(3) }) },
      { ...ITS_SCHEMA, properties: { score: { ...ITS_SCHEMA.properties.score, minimum: 3 } } },
    ],
  ])("gets it by %s", async (_by, props, schema) => {
    expect(reported(await asked(<MyPrompt />, props))).toEqual(schema);
    expect(reported(await asked(() => <MyPrompt />, props))).toEqual(schema);
  });

  it("keeps a schema that it was given, and its other props", async () => {
    const given = <MyPrompt schema={{ mine: true }} about="the film" />;
    expect(await asked(given)).toBe('Rate the film: {"mine":true}');
    expect(await asked(() => given)).toBe('Rate the film: {"mine":true}');
  });

  it("shows it as JSON where it stands between tags, in a template, in a fragment or beside text", async () => {
    const forms: ((props: { schema?: Record<string, unknown> & Iterable<string> }) => WorkflowElement)[] = [
      ({ schema }) => <p>As {schema}</p>,
      ({ schema }) => <>{schema}</>,
      ({ schema }) => <pre>{schema}</pre>,
      ({ schema }) => <p>{`As ${schema}`}</p>,
      ({ schema }) => <p>{[schema, "!"]}</p>,
    ];
    for (const Form of forms) {
      for (const prompt of [<Form key="a" />, () => <Form />]) {
        const question = await asked(prompt);
        expect(JSON.parse(question.slice(question.indexOf("{"), question.lastIndexOf("}") + 1))).toEqual(
          ITS_SCHEMA,
        );
      }
    }
  });

  it("reads it as a plain object: its members, its keys, its copy", async () => {
    const Members = ({ schema }: PromptProps) => (
      <p>
        {Object.keys(schema ?? {}).join()} {JSON.stringify({ ...schema })} {typeof schema?.["properties"]}
      </p>
    );
    const question = await asked(<Members />);
    expect(question).toBe(
      `type,properties,required,additionalProperties ${JSON.stringify(ITS_SCHEMA)} object`,
    );
  });

  it("may be memoized, use hooks and read the run", async () => {
    const Reading = memo(({ schema }: PromptProps) => {
      const [about] = useState("the film");
      const { input } = useCtx();
      return (
        <p>
          Rate {about} {String((input as { title: string }).title)}: {JSON.stringify(schema)}
        </p>
      );
    }) as unknown as (props: PromptProps) => WorkflowElement;
    const question = await asked(<Reading />);
    expect(question).toMatch(/^Rate the film Loom: /);
    expect(reported(question)).toEqual(ITS_SCHEMA);
  });
});

describe("markup as a prompt", () => {
  it("is as it was", async () => {
    expect(await asked(<p>Rate the book.</p>)).toBe("Rate the book.");
    expect(await asked(["Rate ", <strong key="a">this</strong>, <>{" book."}</>])).toBe(
      "Rate **this** book.",
    );
  });
});
