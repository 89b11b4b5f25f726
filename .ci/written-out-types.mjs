// Types that are inferred from schemas, written out in the declarations: a compiler that infers loses the words that
// stand with each member, and whoever reads an event would infer the schemas' types once more.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript-5";

/** By file, the types and what of the file nobody needs once they are written out. */
const INFERRED = {
  "src/model/events": {
    names: ["RunEvent"],
    inside: /^declare const families: [\s\S]*?^type Family = .*\n/m,
  },
  "src/model/remedy": {
    names: ["Remedy"],
    inside:
      /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export declare const remedySchema: [\s\S]*?^\}, z\.core\.\$strip>\], "action">;\n/m,
  },
};

/** What stands before a variant's schema is said of the member that tells it from the others. */
const VARIANT =
  /\/\*\* ((?:(?!\*\/)[\s\S])*) \*\/\s*(?:defineEvent\(|z\.object\(\{\s*action: z\.literal\()"([\w-]+)"/g;

const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;

/** @param root folder of the package */
export function writeOutTypes(root) {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = Object.keys(INFERRED).map((file) => `${root}${file}.ts`);
  const program = ts.createProgram(files, options);
  const events = readdirSync(`${root}src/model/events`).map((file) => `${root}src/model/events/${file}`);
  const variants = [...files, ...events].flatMap((file) => [...readFileSync(file, "utf8").matchAll(VARIANT)]);
  const words = new Map(variants.map(([, said, name]) => [`"${name}"`, said]));
  for (const [file, { names, inside }] of Object.entries(INFERRED)) {
    const place = `${root}dist/${file}.d.ts`;
    let text = replaced(readFileSync(place, "utf8"), inside, "");
    for (const name of names) {
      const inferred = new RegExp(`^export type ${name} = z\\.infer<.*>;$`, "m");
      text = replaced(
        text,
        inferred,
        `export type ${name} =${writtenOut(program, { file: `${root}${file}.ts`, name, words })};`,
      );
    }
    writeFileSync(place, replaced(text, /^import (?:type )?\{ z \} from "zod";\n/m, ""));
  }
}

function replaced(text, pattern, replacement) {
  if (!pattern.test(text)) throw new Error(`The declarations hold nothing like ${pattern}.`);
  return text.replace(pattern, () => replacement);
}

function writtenOut(program, { file, name, words }) {
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  const symbol = checker.getExportsOfModule(module).find((each) => each.name === name);
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const variants = type.types.map((variant) => {
    const members = checker.getPropertiesOfType(variant).map((member) => memberText(checker, member, words));
    return `\n    | {\n${members.join("")}      }`;
  });
  return variants.join("");
}

function memberText(checker, member, words) {
  const own = ts.displayPartsToString(member.getDocumentationComment(checker)).trim();
  const tags = member
    .getJsDocTags(checker)
    .map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`);
  const optional = member.flags & ts.SymbolFlags.Optional ? "?" : "";
  const type = checker.typeToString(checker.getTypeOfSymbol(member), undefined, FLAGS);
  const said = [own || (words.get(type) ?? ""), ...tags].filter((each) => each !== "").join(" ");
  if (/\b[A-Z]\w*(?![\w"])/.test(type.replaceAll(/"[^"]*"/g, "").replaceAll(/\bRecord\b/g, "")))
    throw new Error(`${member.name} has a type of another file: ${type}`);
  return `${said === "" ? "" : `        /** ${said.replaceAll("\n", " ")} */\n`}        ${member.name}${optional}: ${type};\n`;
}
