// treadle/serve
export { createServeApp, type ServeApp, type ServeOptions } from "./create-serve-app.js";
