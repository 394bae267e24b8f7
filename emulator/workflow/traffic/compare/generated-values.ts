// Recognises values that a platform generates: ids, instants, hashes, secrets. Two answers agree when such values are at the
// same places and correspond to each other. Pure.
import { PLACEHOLDER } from '../masking/placeholders.ts'

export type GeneratedKind = 'secret' | 'instant' | 'opaque'

/** A generated value of the recording, and the value at the same place in the replay. */
export interface GeneratedPair {
  readonly kind: GeneratedKind
  readonly recorded: string
  readonly replayed: string
}

interface Form {
  readonly kind: GeneratedKind
  /** Source of a regular expression without capturing groups. */
  readonly source: string
}

/** When several forms match, the first one in the list is used. */
const FORMS: readonly Form[] = [
  { kind: 'secret', source: PLACEHOLDER.source },
  { kind: 'opaque', source: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}' },
  {
    kind: 'instant',
    source:
      '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d(?::?\\d\\d)?)?',
  },
  {
    kind: 'instant',
    source: '[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT',
  },
  // Ids such as grp_… (docs/wire/platform.md#identifiers).
  { kind: 'opaque', source: '(?<![a-z])[a-z]{2,8}_[a-z2-7]{20}(?![a-z0-9_])' },
  // The beginning of a key, which lists of keys show.
  { kind: 'opaque', source: 'sdb_[a-z]+_[\\w-]{4,12}(?![\\w-])' },
  { kind: 'opaque', source: '(?<![0-9A-Za-z])[0-9a-f]{32,64}(?![0-9A-Za-z])' },
  // Address of the Postgres port in a connection string.
  { kind: 'opaque', source: '(?<=@)[\\w.-]+:\\d+(?=/)' },
  {
    kind: 'opaque',
    source: '(?<![\\w-])(?=[\\w-]*[A-Z])(?=[\\w-]*[a-z])(?=[\\w-]*\\d)[\\w-]{22,}={0,2}(?![\\w-])',
  },
]

const ANY = new RegExp(FORMS.map(({ source }) => `(${source})`).join('|'), 'g')
/** A secret of the replay can be any text. */
const ANY_SECRET = '[\\s\\S]+?'

/**
 * Returns the generated values of two texts that are otherwise equal. Returns `undefined` when the texts also differ elsewhere,
 * or when a generated value has another form.
 */
export function pairsOf(recorded: string, replayed: string): readonly GeneratedPair[] | undefined {
  const found: { readonly kind: GeneratedKind; readonly text: string }[] = []
  let source = ''
  let end = 0
  for (const match of recorded.matchAll(ANY)) {
    const form = FORMS[match.slice(1).findIndex((group) => group !== undefined)]
    if (form === undefined) continue
    source += escaped(recorded.slice(end, match.index))
    source += `(${form.kind === 'secret' ? ANY_SECRET : form.source})`
    found.push({ kind: form.kind, text: match[0] })
    end = match.index + match[0].length
  }
  if (found.length === 0) return recorded === replayed ? [] : undefined
  const values = new RegExp(`^${source}${escaped(recorded.slice(end))}$`).exec(replayed)?.slice(1)
  return values === undefined
    ? undefined
    : found.map(({ kind, text }, index) => ({
        kind,
        recorded: text,
        replayed: values[index] ?? '',
      }))
}

/** Returns the text with a mark in place of each generated value, so that only the rest of the text is compared. */
export function withoutGenerated(text: string): string {
  return text.replace(ANY, '\u0000')
}

/** Returns whether the whole text is a single generated value other than an instant. */
export function isOpaque(text: string): boolean {
  const match = [...text.matchAll(ANY)][0]
  return match?.[0] === text && !/^\d{4}-\d\d-\d\d[T ]/.test(text)
}

/** Returns the format of an instant: zeros for digits, and no fraction of a second. */
export function formOfInstant(text: string): string {
  return text
    .replace(/\.\d+/, '')
    .replace(/\d/g, '0')
    .replace(/[A-Z][a-z]{2}/g, 'Mon')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
