// Derives a column's kind from its type, and shows, edits and checks values of each kind. All values are in Postgres's
// text format. Pure.

export type CellKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'json'
  | 'array'
  | 'date'
  | 'timestamp'
  | 'time'
  | 'uuid'
  | 'bytes'

const KINDS: readonly (readonly [RegExp, CellKind])[] = [
  [/\[\]$/, 'array'],
  [
    /^(smallint|integer|bigint|int[248]?|real|double precision|float[48]|numeric|decimal|money|oid)\b/,
    'number',
  ],
  [/^bool(ean)?$/, 'boolean'],
  [/^jsonb?$/, 'json'],
  [/^date$/, 'date'],
  [/^timestamp/, 'timestamp'],
  [/^time/, 'time'],
  [/^uuid$/, 'uuid'],
  [/^bytea$/, 'bytes'],
]

/** @param choices an enum's values */
export function kindOfType(type: string, choices: readonly string[] | null): CellKind {
  if (choices !== null) return 'choice'
  const bare = type.toLowerCase()
  return KINDS.find(([pattern]) => pattern.test(bare))?.[1] ?? 'text'
}

/**
 * Explains why the text is not a value of this kind. Returns `undefined` for a valid text, or when only Postgres can check it.
 */
export function problemOf(kind: CellKind, text: string | null): string | undefined {
  if (text === null) return undefined
  const bare = text.trim()
  switch (kind) {
    case 'number':
      return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$|^nan$|^[-+]?infinity$/i.test(bare)
        ? undefined
        : 'Enter a number.'
    case 'uuid':
      return /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(bare)
        ? undefined
        : 'Enter a UUID, such as 3f0c2a4e-….'
    case 'json':
      return isJson(bare) ? undefined : 'Enter valid JSON.'
    case 'date':
      return /^-?\d{4,}-\d{2}-\d{2}|^infinity$/i.test(bare)
        ? undefined
        : 'Enter a date: 2026-03-02.'
    case 'timestamp':
      return /^-?\d{4,}-\d{2}-\d{2}|^now$|^[-+]?infinity$/i.test(bare)
        ? undefined
        : 'Enter a date and time: 2026-03-02 09:00+00.'
    case 'array':
      return bare.startsWith('{') && bare.endsWith('}')
        ? undefined
        : 'Write the array in braces: {a,b}.'
    default:
      return undefined
  }
}

/** Formats JSON with line breaks for an editor. Texts that are not JSON stay unchanged. */
export function editableText(kind: CellKind, text: string | null): string {
  if (text === null) return ''
  if (kind === 'json' && isJson(text)) return JSON.stringify(JSON.parse(text), null, 2)
  if (kind === 'boolean') return text === 't' ? 'true' : text === 'f' ? 'false' : text
  return text
}

/** Returns the text that a cell shows in the grid. */
export function displayText(kind: CellKind, text: string): string {
  if (kind === 'boolean') return text === 't' ? 'true' : text === 'f' ? 'false' : text
  return text.length > 400 ? `${text.slice(0, 400)}…` : text.replaceAll(/\s*\n\s*/g, ' ⏎ ')
}

/** Whether values of this kind align at the right. Only numbers do. */
export function isRightAligned(kind: CellKind): boolean {
  return kind === 'number'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
