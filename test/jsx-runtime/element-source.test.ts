import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { elementSource } from "../../jsx-runtime/element-source.js";
import { Fragment, jsxDEV } from "../../jsx-runtime/jsx-dev-runtime.js";
import { jsx } from "../../jsx-runtime/jsx-runtime.js";

describe("the source of an element", () => {
  it("is what the development transform passes", async () => {
    const source = "export default (\n  <Flow>\n    <>\n      <Step key='a' />\n    </>\n  </Flow>\n);";
    const { code } = await transform(source, {
      loader: "tsx",
      jsx: "automatic",
      jsxDev: true,
      jsxImportSource: "treadle",
      sourcefile: "flow.tsx",
      format: "cjs",
    });
    const module = { exports: {} as { default?: unknown } };
    new Function("module", "exports", "require", "Flow", "Step", code)(
      module,
      module.exports,
      () => ({ jsxDEV, Fragment }),
      "flow",
      "step",
    );
    const flow = module.exports.default as {
      props: { children: { props: { children: { props: object } } } };
    };
    const step = flow.props.children.props.children;
    expect(elementSource(flow.props)).toMatchObject({ fileName: "flow.tsx", lineNumber: 2 });
    expect(elementSource(step.props)).toMatchObject({ fileName: "flow.tsx", lineNumber: 4 });
    expect(step).toMatchObject({ type: "step", key: "a" });
  });

  it("is unknown for the production transform", () => {
    expect(elementSource(jsx("p", {}).props as object)).toBeUndefined();
  });
});
