/** @jsxImportSource react */
import "../../react/support/dom.js";
import { cleanup, fireEvent, render } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import SchemaForm from "../../../src/console/form/SchemaForm.js";
import fc, { propertyRuns } from "../../support/property-tests.js";
import { inputs } from "./schemas.js";

afterEach(cleanup);

const inJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

/** The form, and what it says now. */
function opened(schema: z.ZodType, given: unknown) {
  const json = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
  let yielded = given;
  function Page() {
    const [value, setValue] = useState(given);
    const [unread, setUnread] = useState<Readonly<Record<string, string>>>({});
    yielded = value;
    return (
      <SchemaForm
        schema={json}
        value={value}
        problems={{}}
        unread={unread}
        setUnread={(id, text) =>
          setUnread(({ [id]: _before, ...others }) =>
            text === undefined ? others : { ...others, [id]: text },
          )
        }
        onChange={setValue}
        onFill={setValue}
      />
    );
  }
  const view = render(<Page />);
  return {
    container: view.container,
    yielded: () => inJson(yielded),
    close: view.unmount,
  };
}

const written = inputs.chain(({ schema, values }) => fc.tuple(fc.constant(schema), values));

it("yields the value that it is given, whatever the schema is made of", () => {
  fc.assert(
    fc.property(written, ([schema, value]) => {
      const form = opened(schema, value);
      expect(form.yielded()).toEqual(inJson(value));
      form.close();
    }),
    propertyRuns(100),
  );
});

it("yields it again when all that is written in it is written anew", () => {
  fc.assert(
    fc.property(written, ([schema, value]) => {
      const form = opened(schema, value);
      const controls = form.container.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
        "input:not(.next-key *), textarea, select:not(.kind)",
      );
      for (const control of controls) {
        const text = control.value;
        if (text === "") continue;
        const isChoice = control.tagName === "SELECT";
        fireEvent.change(control, { target: { value: isChoice ? "" : `${text}x` } });
        fireEvent.change(control, { target: { value: text } });
      }
      expect(form.yielded()).toEqual(inJson(value));
      form.close();
    }),
    propertyRuns(100),
  );
});
