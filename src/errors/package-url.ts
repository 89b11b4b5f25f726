/** The folder of this installation, from the place of this file in its sources or in what is built of them. */
export const PACKAGE_URL = import.meta.url.replace(/\/src\/(?!.*\/src\/).*$/, "").replace(/\/dist$/, "");
