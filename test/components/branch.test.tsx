import { useState } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { ids, rig } from "../support/render-workflow.js";

const { Branch, Task, Workflow } = components;

describe("a Branch", () => {
  it("refuses children, naming its props", () => {
    const props = { if: true, then: null, children: <p>x</p> };
    const flow = rig(() => (
      <Workflow name="w">
        <Branch {...props} />
      </Workflow>
    ));
    expect(() => flow.render()).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", summary: expect.stringContaining("then and else") }),
    );
  });

  it("mounts its sides apart, so that they share no state", () => {
    let first = true;
    let mounts = 0;
    function Stateful({ name }: { name: string }) {
      const [id] = useState(() => `${name}-${++mounts}`);
      return (
        <Task id={id} output="note">
          {{ text: "" }}
        </Task>
      );
    }
    const flow = rig(() => (
      <Workflow name="w">
        <Branch if={first} then={<Stateful name="then" />} else={<Stateful name="else" />} />
      </Workflow>
    ));
    expect(ids(flow.render())).toEqual(["then-1"]);
    first = false;
    expect(ids(flow.render())).toEqual(["else-2"]);
  });
});
