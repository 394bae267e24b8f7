// Prints text as PostgREST's error messages do: with the escapes of Haskell's `show` (Haskell 2010 report, §2.6, §11.4). Pure.

/** Prints one character between apostrophes. */
export function shownChar(text: string): string {
  return `'${text === "'" ? "\\'" : escaped(text)}'`
}

/** Prints text between quotation marks. */
export function shownText(text: string): string {
  let shown = ''
  let last = ''
  for (const each of text) {
    // As in Haskell, `\&` separates a numeric escape from a following digit, and `\SO` from a following `H`.
    if ((/^\\[0-9]+$/.test(last) && isDigit(each)) || (last === '\\SO' && each === 'H'))
      shown += '\\&'
    last = each === '"' ? '\\"' : escaped(each)
    shown += last
  }
  return `"${shown}"`
}

const CONTROLS =
  'NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  )

function escaped(each: string): string {
  if (each === '\\') return '\\\\'
  const code = each.codePointAt(0) ?? 0
  const control = CONTROLS[code]
  if (control !== undefined) return `\\${control}`
  if (code === 0x7f) return '\\DEL'
  return code > 0x7f ? `\\${code}` : each
}

function isDigit(each: string): boolean {
  return each >= '0' && each <= '9'
}
