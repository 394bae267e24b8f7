// Parses the `Prefer` header (RFC 7240; PostgREST, "Prefer Header"). If several preferences contradict each other, the first
// applies. Pure.
import { readInteger } from './range.ts'

export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined
  readonly representation: 'representation' | 'minimal' | 'headers-only' | undefined
  readonly count: 'exact' | 'planned' | 'estimated' | undefined
  readonly transaction: 'commit' | 'rollback' | undefined
  readonly missing: 'default' | 'null' | undefined
  readonly handling: 'strict' | 'lenient' | undefined
  readonly timeZone: string | undefined
  readonly maxAffected: number | undefined
  /** Preferences that are unknown or have an invalid value. A request with `handling=strict` is refused because of them. */
  readonly invalid: readonly string[]
}

const NONE: Preferences = {
  resolution: undefined,
  representation: undefined,
  count: undefined,
  transaction: undefined,
  missing: undefined,
  handling: undefined,
  timeZone: undefined,
  maxAffected: undefined,
  invalid: [],
}

const CHOICES = {
  'resolution=merge-duplicates': { resolution: 'merge-duplicates' },
  'resolution=ignore-duplicates': { resolution: 'ignore-duplicates' },
  'return=representation': { representation: 'representation' },
  'return=minimal': { representation: 'minimal' },
  'return=headers-only': { representation: 'headers-only' },
  'count=exact': { count: 'exact' },
  'count=planned': { count: 'planned' },
  'count=estimated': { count: 'estimated' },
  'tx=commit': { transaction: 'commit' },
  'tx=rollback': { transaction: 'rollback' },
  'missing=default': { missing: 'default' },
  'missing=null': { missing: 'null' },
  'handling=strict': { handling: 'strict' },
  'handling=lenient': { handling: 'lenient' },
} as const satisfies Record<string, Partial<Preferences>>

export interface PreferenceRules {
  /** Whether the request may choose commit or rollback with `tx=…`. */
  readonly mayEndTransaction: boolean
  isTimeZone(name: string): boolean
}

/** Parses the header. The values of repeated headers arrive joined by commas. */
export function parsePreferences(header: string | null, rules: PreferenceRules): Preferences {
  if (header === null || header === '') return NONE
  const texts = header.split(',').map((part) => part.trim())
  // If a time zone or a bound is repeated, only the first applies, even if its value is invalid.
  const zone = firstAfter(texts, TIME_ZONE)
  const isKnownZone = zone !== undefined && rules.isTimeZone(zone)
  const bound = readInteger(firstAfter(texts, MAX_AFFECTED))
  let found: Preferences = {
    ...NONE,
    timeZone: isKnownZone ? zone : undefined,
    maxAffected: bound === undefined ? undefined : Number(BigInt.asIntN(64, bound)),
  }
  const invalid: string[] = []
  for (const text of texts) {
    const choice = choiceOf(text)
    if (choice !== undefined) found = { ...found, ...choice, ...stated(found) } as Preferences
    else if (!isMeaningful(text, isKnownZone)) invalid.push(text)
  }
  const whole: Preferences = { ...found, invalid }
  return rules.mayEndTransaction ? whole : { ...whole, transaction: undefined }
}

/** Returns the value of `Preference-Applied`, or `undefined` if no preference was applied. */
export function preferenceApplied(applied: Preferences): string | undefined {
  const parts = [
    labelled('resolution', applied.resolution),
    labelled('missing', applied.missing),
    labelled('return', applied.representation),
    labelled('count', applied.count),
    labelled('tx', applied.transaction),
    labelled('handling', applied.handling),
    labelled('timezone', applied.timeZone),
    applied.handling === 'strict' ? labelled('max-affected', applied.maxAffected) : undefined,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(', ')
}

const TIME_ZONE = 'timezone='
const MAX_AFFECTED = 'max-affected='

function firstAfter(texts: readonly string[], prefix: string): string | undefined {
  return texts.find((text) => text.startsWith(prefix))?.slice(prefix.length)
}

function isMeaningful(text: string, isKnownZone: boolean): boolean {
  return text.startsWith(MAX_AFFECTED) || (isKnownZone && text.startsWith(TIME_ZONE))
}

function choiceOf(text: string): Partial<Preferences> | undefined {
  return Object.hasOwn(CHOICES, text) ? CHOICES[text as keyof typeof CHOICES] : undefined
}

function stated(preferences: Preferences): Partial<Preferences> {
  return Object.fromEntries(
    Object.entries(preferences).filter(([, value]) => value !== undefined),
  ) as Partial<Preferences>
}

function labelled(name: string, value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : `${name}=${value}`
}
