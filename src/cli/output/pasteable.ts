/** Commands that texts of errors name. */
const COMMAND = /`(treadle [^`]*)`/g;

/** A text whose commands are as this call has to type them. */
export function pasteable(text: string, commandText: (command: string) => string): string {
  return text.replaceAll(COMMAND, (_, command: string) => `\`${commandText(command)}\``);
}
