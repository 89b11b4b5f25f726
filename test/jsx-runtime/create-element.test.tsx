import * as React from "react";
import * as ReactJsx from "react/jsx-runtime";
import { describe, expect, it } from "vitest";
import { Fragment, jsx, jsxs } from "../../jsx-runtime/jsx-runtime.js";

type Markup = React.ReactElement<{ title?: string; children?: React.ReactNode }>;

describe("an element", () => {
  it("is one that React recognises, clones and walks", () => {
    const element = jsx("p", { title: "a", children: "text" }) as Markup;
    expect(React.isValidElement(element)).toBe(true);
    expect(React.cloneElement(element, { title: "b" }).props).toEqual({ title: "b", children: "text" });
    expect(
      React.Children.count((jsxs("div", { children: [element, element] }) as Markup).props.children),
    ).toBe(2);
  });

  it("has the same fields as React's own", () => {
    const config = { id: "a", children: ["x", 1] };
    const { $$typeof, type, key, props } = ReactJsx.jsx("p", config, "k") as unknown as Record<
      string,
      unknown
    >;
    expect(jsx("p", config, "k")).toMatchObject({ $$typeof, type, key, props });
  });

  it("keeps the props object, so that it costs no copy", () => {
    const props = { id: "a" };
    expect(jsx("p", props).props).toBe(props);
  });

  it("takes its key from the third argument, as text", () => {
    expect(jsx("p", {}, 7).key).toBe("7");
    expect(jsx("p", {}).key).toBeNull();
  });

  it("takes a spread key out of the props", () => {
    const spread = { key: "k", id: "a" };
    const element = <p {...spread} />;
    expect(element.key).toBe("k");
    expect(element.props).toEqual({ id: "a" });
    expect(jsx("p", { key: undefined, id: "a" }).key).toBeNull();
  });

  it("leaves ref among the props, as React 19 does", () => {
    const ref = { current: null };
    const element = jsx("p", { ref }) as unknown as { ref: unknown; props: object };
    expect([element.ref, element.props]).toEqual([ref, { ref }]);
  });
});

it("a fragment is React's fragment", () => {
  expect(Fragment).toBe(React.Fragment);
  expect((<></>).type).toBe(React.Fragment);
});
