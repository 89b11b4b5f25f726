import { describe, expect, it } from "vitest";
import { functionText as text } from "../../src/graph/function-text.js";

describe("the text of a function is the same when", () => {
  it.each<[string, string, string]>([
    [
      "semicolons before a brace go",
      "() => { a(); { b(); } class A { x = 1; } }",
      "()=>{a();{b()}class A{x=1}}",
    ],
    ["trailing commas go", "f([a, b,], { c, }, d,)", "f([a,b],{c},d)"],
    ["a lone parameter has no parentheses", "async (a) => b.map((c) => c)", "async a=>b.map(c=>c)"],
    ["quotes change", `() => 'it\\'s "q"'`, `() => "it's \\"q\\""`],
    [
      "letters are escaped",
      "() => `é${'💡'}` + /é/.source",
      "() => `\\xE9${'\\u{1F4A1}'}` + /\\u00e9/.source",
    ],
    ["numbers are spelled anew", "[1_000, 0.5, 0xff, 10n]", "[1e3,.5,255,10n]"],
    ["new has no arguments", "[new Date(), new a.b(), new (k())()]", "[new Date,new a.b,new(k())]"],
    [
      "what is made is used at once",
      "[(new Date()).x(), (new a.B(1, [c()])).y]",
      "[new Date().x(),new a.B(1,[c()]).y]",
    ],
    ["undefined is void 0", "() => undefined", "() => void 0"],
    ["a function keeps its name", "() => { const f = (a) => a; f(); }", '()=>{const f=__name(a=>a,"f");f()}'],
    [
      "a declaration keeps its name",
      "() => { function f() {} f(); }",
      '()=>{function f(){}__name(f,"f");f()}',
    ],
    ["a class keeps its name", "() => { class A { x = 1; } }", '()=>{class A{static{__name(this,"A")}x=1}}'],
    ["it asks for its file in a bundle", "() => import.meta.url", "() => __sourceUrl2"],
    [
      "elements are those of production",
      'jsxDEV2("p", { children: [jsxDEV2("b", {}, "k", false, __elementSources[0], this), 1] }, void 0, true, __elementSources[1])',
      'jsxs("p",{children:[jsx("b",{},"k"),1]})',
    ],
  ])("%s", (_name, one, other) => {
    expect(text(one)).toBe(text(other));
  });
});

describe("the text of a function differs when", () => {
  it.each<[string, string, string]>([
    ["a statement is empty", "() => { if (a); b(); }", "() => { if (a) b(); }"],
    ["a loop has another header", "() => { for (a;;) b(); }", "() => { for (;a;) b(); }"],
    ["a call becomes two statements", "() => { a; (b); }", "() => { a(b); }"],
    ["an array has a hole", "[a, ,]", "[a,]"],
    ["what is made is another thing", "new A().b()", "new A.b()"],
    ["what is made has a member that is made", "new (new A()).b()", "new (new A().b())()"],
    ["what is made is called", "new a()()", "new a()"],
    ["an argument is undefined", "f(void 0)", "f()"],
    ["strings hold other letters", "'\\n'", "'n'"],
    ["a backslash is a letter", "'\\\\u00e9'", "'\\u00e9'"],
    ["a string becomes a name", "a['b']", "a[b]"],
    ["a template is another", "`a`", "`b`"],
    ["a number is big", "1n", "1"],
    ["an element has another key", 'jsx("p", {}, "a")', 'jsx("p", {}, "b")'],
  ])("%s", (_name, one, other) => {
    expect(text(one)).not.toBe(text(other));
  });
});
