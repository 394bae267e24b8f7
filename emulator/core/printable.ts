// Makes texts of callers safe and short enough to print. Names, links and messages may contain control characters, which must not control the
// terminal.

/** Replaces control characters. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{FFFD}')
}

/** Cuts a text at this many characters, and marks that it is cut. */
export function shortened(text: string, mostCharacters: number): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}

/** As `printable`, for a text of several lines. */
export function printableLines(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '\u{FFFD}')
}
