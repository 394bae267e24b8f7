// Makes texts of callers safe to print. Names, links and messages may contain control characters, which must not control the
// terminal.

/** Replaces control characters. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{FFFD}')
}

/** As `printable`, for a text of several lines. */
export function printableLines(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, '\u{FFFD}')
}
