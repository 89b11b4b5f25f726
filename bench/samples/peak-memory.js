import { scratch } from "../scratch.js";
import { finish, named } from "../workflows.js";
import { report } from "./report.js";

// node bench/samples/peak-memory.js WORKFLOW: megabytes.
const folder = scratch();
await finish(named[process.argv[2]](folder.path));
folder.dispose();
report({ megabytes: process.resourceUsage().maxRSS / 1024 });
