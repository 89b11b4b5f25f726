import type { AgentActionKind } from "../../model/agent.js";

/** Names that the tools use for the same few things, with separators removed. */
const KINDS: readonly (readonly [RegExp, AgentActionKind])[] = [
  [
    /^(?:bash|shell|sh|exec|execcommand|runcommand|runshellcommand|shellcommand|terminal|commandexecution)$/,
    "command",
  ],
  [
    /^(?:edit|write|multiedit|notebookedit|createfile|writefile|editfile|strreplace|strreplacefile|replace|replacefilecontent|multireplacefilecontent|writetofile|applypatch|patch|filechange|searchreplace)$/,
    "file_change",
  ],
  [/^(?:websearch|webfetch|searchweb|googlewebsearch|fetch|fetchurl|readurlcontent)$/, "web_search"],
  [/^(?:todowrite|todoread|todolist|todo|settodolist|writetodos|taskcreate|taskupdate)$/, "todo_list"],
];

/** The kind of action of a tool call, as far as its name shows. */
export function actionKindOf(toolName: string): AgentActionKind {
  const name = toolName.toLowerCase().replace(/[^a-z]/g, "");
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? "tool";
}
