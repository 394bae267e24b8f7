// Formats both sides of a structure difference. Definitions are text or JSON. Pure.

/** Returns the lines of each side. Two JSON objects yield only the members that differ. */
export function sidesOf(
  here: string | null,
  there: string | null,
): { readonly here: string | undefined; readonly there: string | undefined } {
  const [one, other] = [objectOf(here), objectOf(there)]
  if (one === undefined || other === undefined)
    return { here: wordsOf(here, one), there: wordsOf(there, other) }
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  )
  const only = (side: Members) =>
    linesOf(Object.fromEntries(names.map((name) => [name, side[name]])))
  return { here: only(one), there: only(other) }
}

type Members = Readonly<Record<string, unknown>>

function wordsOf(text: string | null, members: Members | undefined): string | undefined {
  if (members !== undefined) return linesOf(said(members))
  // The text is a definition, followed by JSON with the object's properties in the catalogue. Only the definition is readable.
  const [, definition, rest] = /^(.*?) (\{".*\})$/s.exec(text ?? '') ?? []
  return objectOf(rest ?? null) === undefined ? (text ?? undefined) : definition
}

/** Returns the members with information. Omits members that are `false`, null or empty. */
function said(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) =>
        value !== false &&
        value !== null &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0),
    ),
  )
}

function linesOf(members: Members): string {
  return Object.entries(members)
    .map(([name, value]) => `${nameWords(name)}: ${textOf(value)}`)
    .join('\n')
}

/** `forced row security` for `forcedRowSecurity`. */
function nameWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === undefined) return '–'
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  if (value.every((one) => typeof one === 'string')) return value.join(', ')
  return value.map((one) => `\n  ${isMembers(one) ? inline(one) : JSON.stringify(one)}`).join('')
}

function inline(members: Members): string {
  return Object.entries(said(members))
    .map(([name, value]) => `${nameWords(name)} ${textOf(value)}`)
    .join(' · ')
}

function objectOf(text: string | null): Members | undefined {
  if (text === null || !text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
