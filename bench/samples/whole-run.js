import { scratch } from "../scratch.js";
import { finish, named } from "../workflows.js";
import { report, timed } from "./report.js";

// node bench/samples/whole-run.js WORKFLOW: from the call to its end.
const folder = scratch();
const workflow = named[process.argv[2]](folder.path);
const time = await timed(() => finish(workflow));
report({ ...time, bytes: folder.bytes() });
folder.dispose();
