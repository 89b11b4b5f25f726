// In the page, the library of forms gets this for the one that turns Markdown into elements: texts of schemas are shown as they are.
export const Markdown = ({ children }) => children;
