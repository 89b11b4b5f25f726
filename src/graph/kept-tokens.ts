const JSX_CALL = /^_?jsx(?:s|DEV)?\d*$/;
const WORD = /^[\p{ID_Start}\p{ID_Continue}$_#]/u;
/** Before these, `new A()` and `new A` are not the same. */
const GOES_ON = /^(?:\.|\?\.|\[|\(|`)/;

/**
 * Tokens of a function as they are kept: without what a printer may write or leave
 * out. Only what is the same to the language gives way, so that two functions
 * that differ never have one text.
 */
export class KeptTokens {
  readonly #kept: string[] = [];
  /** For each open parenthesis: whether it belongs to a call that only gives a name. */
  readonly #open: boolean[] = [];

  text(): string {
    this.#dropLast(";");
    return this.#kept.join(" ");
  }

  push(token: string, next = "}"): void {
    if (token === "(") this.#openParenthesis();
    else if (token === ")") this.#closeParenthesis(next);
    else if (token === "]") this.#closeBracket();
    else if (token === "}") this.#closeBrace();
    else if (token === "=>") this.#arrow();
    else this.#kept.push(token);
  }

  /** The call around a function or class that gives it a name is left out. */
  openName(): void {
    this.#open.push(true);
  }

  /** Removes arguments that only development compilers pass to an element: `isStatic` and, if there is none, the key. */
  endElement(): void {
    const isStatic = this.#last(2);
    if (this.#last(3) !== "," || (isStatic !== "true" && isStatic !== "false")) return;
    this.#kept.splice(-3);
    if (this.#last() === "undefined") this.#kept.splice(-2);
  }

  #last(back = 1): string | undefined {
    return this.#kept[this.#kept.length - back];
  }

  #dropLast(token: string): void {
    while (this.#last() === token) this.#kept.pop();
  }

  #openParenthesis(): void {
    this.#open.push(false);
    // `jsx`, `jsxs` and `jsxDEV` make the same element.
    if (JSX_CALL.test(this.#last() ?? "")) this.#kept[this.#kept.length - 1] = "jsx";
    this.#kept.push("(");
  }

  #closeParenthesis(next: string): void {
    this.#dropLast(",");
    if (this.#open.pop() === true) this.#kept.splice(-2);
    else if (this.#last() === "(" && !GOES_ON.test(next) && this.#endsInNew()) this.#kept.pop();
    else {
      this.#kept.push(")");
      if (GOES_ON.test(next)) this.#unwrapNew();
    }
  }

  /** `(new A()).b` is `new A().b`: esbuild writes the parentheses where it also writes that the call is pure. */
  #unwrapNew(): void {
    const kept = this.#kept;
    const start = this.#opening(kept.length - 1);
    if (kept[start + 1] !== "new" || kept[start - 1] === "new") return;
    let at = start + 2;
    while (WORD.test(kept[at] ?? "") && kept[at + 1] === ".") at += 2;
    if (!WORD.test(kept[at] ?? "")) return;
    const end = kept.length - 1;
    if (at + 1 === end) kept.splice(end, 1, "(", ")");
    else if (kept[at + 1] === "(" && kept[end - 1] === ")" && this.#opening(end - 1) === at + 1) kept.pop();
    else return;
    kept.splice(start, 1);
  }

  #closeBracket(): void {
    // `[a, ]` is `[a]`; a comma after another leaves a hole.
    if (this.#last() === "," && this.#last(2) !== "," && this.#last(2) !== "[") this.#kept.pop();
    this.#kept.push("]");
  }

  #closeBrace(): void {
    this.#dropLast(this.#last() === "," ? "," : ";");
    this.#kept.push("}");
  }

  /** `(a) => …` is `a => …`. */
  #arrow(): void {
    if (this.#last() === ")" && this.#last(3) === "(" && WORD.test(this.#last(2) ?? "")) {
      const [, name] = this.#kept.splice(-3) as [string, string, string];
      this.#kept.push(name);
    }
    this.#kept.push("=>");
  }

  /** Whether the `(` at the end begins the arguments of a `new`. */
  #endsInNew(): boolean {
    const kept = this.#kept;
    for (let at = kept.length - 2; at > 0; ) {
      const token = kept[at] as string;
      if (token === ")") return kept[this.#opening(at) - 1] === "new";
      if (token === "]") at = this.#opening(at) - 1;
      else if (token === "}") return this.#isNewClass(this.#opening(at) - 1);
      else if (!WORD.test(token)) return false;
      else if (kept[at - 1] === ".") at -= 2;
      else return kept[at - 1] === "new" && kept[at - 2] !== ".";
    }
    return false;
  }

  #isNewClass(end: number): boolean {
    let at = end;
    while (at > 0 && this.#kept[at] !== "class" && WORD.test(this.#kept[at] as string)) at--;
    return this.#kept[at] === "class" && this.#kept[at - 1] === "new";
  }

  /** Where the bracket begins that ends there. */
  #opening(end: number): number {
    let depth = 0;
    for (let at = end; at > 0; at--) {
      const token = this.#kept[at] as string;
      if (token === ")" || token === "]" || token === "}") depth++;
      else if (token === "(" || token === "[" || token === "{") depth--;
      if (depth === 0) return at;
    }
    return 0;
  }
}
