import { createContext, type ReactNode, useContext, useMemo } from "react";
import { describe, expect, it } from "vitest";
import { renderPrompt } from "../../src/renderer/render-prompt.js";

const lines = (...text: string[]) => text.join("\n");

describe("a prompt", () => {
  it("of text is that text", () => {
    expect(renderPrompt("  as it is\n")).toBe("  as it is\n");
  });

  it("of nothing is empty", () => {
    expect(renderPrompt(null)).toBe("");
    expect(renderPrompt(<p />)).toBe("");
  });

  it("separates blocks with empty lines", () => {
    const prompt = (
      <>
        <h1>Title</h1>
        <p>One.</p>
        loose text
        <p>Two.</p>
      </>
    );
    expect(renderPrompt(prompt)).toBe("# Title\n\nOne.\n\nloose text\n\nTwo.");
  });

  it("joins text with the values in it", () => {
    const count = 3;
    expect(
      renderPrompt(
        <p>
          Read {count} files, {"please"}
          {false}
          {null}.
        </p>,
      ),
    ).toBe("Read 3 files, please.");
  });

  it("renders components, with context and hooks", () => {
    const Language = createContext("English");
    function Rule({ children }: { children: ReactNode }) {
      const language = useContext(Language);
      const label = useMemo(() => language.toUpperCase(), [language]);
      return (
        <p>
          {label}: {children}
        </p>
      );
    }
    const prompt = (
      <Language value="Dutch">
        <Rule>be brief</Rule>
      </Language>
    );
    expect(renderPrompt(prompt)).toBe("DUTCH: be brief");
  });

  it("fails as rendering does", () => {
    function Broken(): ReactNode {
      throw new Error("no data");
    }
    expect(() => renderPrompt(<Broken />)).toThrow(
      expect.objectContaining({ code: "WORKFLOW_RENDER_FAILED" }),
    );
  });
});

describe("Markdown", () => {
  it.each([
    ["headings", <h3>Three</h3>, "### Three"],
    [
      "bold",
      <p>
        a <strong>b</strong> <b>c</b>
      </p>,
      "a **b** **c**",
    ],
    [
      "emphasis",
      <p>
        a <em>b</em> <i>c</i> <del>d</del>
      </p>,
      "a _b_ _c_ ~~d~~",
    ],
    [
      "inline code",
      <p>
        run <code>ls</code>
      </p>,
      "run `ls`",
    ],
    [
      "links",
      <p>
        <a href="https://x.test">x</a>
      </p>,
      "[x](https://x.test)",
    ],
    ["links without a target", <a>x</a>, "x"],
    [
      "images",
      <p>
        <img src="a.png" alt="A" />
      </p>,
      "![A](a.png)",
    ],
    [
      "line breaks",
      <p>
        a<br />b
      </p>,
      "a\nb",
    ],
    ["rules", <hr />, "---"],
    [
      "quotes",
      <blockquote>
        <p>a</p>
        <p>b</p>
      </blockquote>,
      "> a\n>\n> b",
    ],
    [
      "containers",
      <div>
        <section>
          <p>a</p>
        </section>
        <p>b</p>
      </div>,
      "a\n\nb",
    ],
    [
      "spans and unknown elements, as their content",
      <p>
        <span>a</span>
      </p>,
      "a",
    ],
  ])("of %s", (_name, element, text) => {
    expect(renderPrompt(element)).toBe(text);
  });

  it("of lists nests them under their items", () => {
    const list = (
      <ul>
        <li>one</li>
        <li>
          two
          <ol start={3}>
            <li>three</li>
            <li>
              <p>four</p>
              <p>more</p>
            </li>
          </ol>
        </li>
      </ul>
    );
    expect(renderPrompt(list)).toBe(lines("- one", "- two", "  3. three", "  4. four", "", "     more"));
  });

  it("of list items that a component renders", () => {
    const Item = ({ name }: { name: string }) => <li>{name}</li>;
    expect(
      renderPrompt(
        <ol>
          {["a", "b"].map((name) => (
            <Item key={name} name={name} />
          ))}
        </ol>,
      ),
    ).toBe("1. a\n2. b");
  });

  it("of code blocks keeps white space and names the language", () => {
    const code = (
      <pre>
        <code className="language-ts">{"if (a) {\n  b();\n}\n"}</code>
      </pre>
    );
    expect(renderPrompt(code)).toBe(lines("```ts", "if (a) {", "  b();", "}", "```"));
  });

  it("of code with fences in it uses a longer fence", () => {
    expect(renderPrompt(<pre>{"```\nx\n```"}</pre>)).toBe(lines("````", "```", "x", "```", "````"));
  });

  it("of a cell with a million blanks is made in one pass", () => {
    const blanks = " ".repeat(1_000_000);
    expect(
      renderPrompt(
        <table>
          <tbody>
            <tr>
              <td>{`a${blanks}b`}</td>
            </tr>
          </tbody>
        </table>,
      ),
    ).toMatch(/a +b/);
  });

  it("of a list whose items hold any number of empty lines is made in one pass", () => {
    const item = (
      <ul>
        <li>
          <pre>{`a${"\n".repeat(500_000)}b`}</pre>
        </li>
      </ul>
    );
    expect(renderPrompt(item)).toMatch(/^- ```\n {2}a\n/);
  });

  it("of code with any number of fences in it uses a longer one", () => {
    expect(renderPrompt(<pre>{"` ".repeat(500_000)}</pre>)).toMatch(/^```\n` /);
  });

  it("of code blocks keeps empty lines", () => {
    expect(renderPrompt(<pre>{"a\n\n\n\nb"}</pre>)).toBe(lines("```", "a", "", "", "", "b", "```"));
  });

  it("of tables", () => {
    const table = (
      <table>
        <thead>
          <tr>
            <th>name</th>
            <th>size</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>a|b</td>
            <td>
              1<br />2
            </td>
          </tr>
        </tbody>
      </table>
    );
    expect(renderPrompt(table)).toBe(lines("| name | size |", "| --- | --- |", "| a\\|b | 1 2 |"));
  });
});
