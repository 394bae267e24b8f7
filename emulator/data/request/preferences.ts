// The `Prefer` header (RFC 7240; PostgREST, "Prefer Header"). The first of several contradicting ones counts. Pure.

export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined
  readonly representation: 'representation' | 'minimal' | 'headers-only' | undefined
  readonly count: 'exact' | 'planned' | 'estimated' | undefined
  readonly transaction: 'commit' | 'rollback' | undefined
  readonly missing: 'default' | 'null' | undefined
  readonly handling: 'strict' | 'lenient' | undefined
  readonly timeZone: string | undefined
  readonly maxAffected: number | undefined
  /** Preferences that mean nothing here; refused with `handling=strict`. */
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
  /** Whether `tx=…` is heard. */
  readonly mayEndTransaction: boolean
  isTimeZone(name: string): boolean
}

/** Reads the header; several headers arrive joined by commas. */
export function parsePreferences(header: string | null, rules: PreferenceRules): Preferences {
  if (header === null || header === '') return NONE
  let found = NONE
  const invalid: string[] = []
  for (const part of header.split(',')) {
    const text = part.trim()
    const choice = choiceOf(text, rules)
    if (choice === undefined) invalid.push(text)
    else found = { ...found, ...choice, ...stated(found) } as Preferences
  }
  const whole: Preferences = { ...found, invalid }
  return rules.mayEndTransaction ? whole : { ...whole, transaction: undefined }
}

/** The value of `Preference-Applied`; `undefined` when none applied. */
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

function choiceOf(text: string, rules: PreferenceRules): Partial<Preferences> | undefined {
  if (Object.hasOwn(CHOICES, text)) return CHOICES[text as keyof typeof CHOICES]
  if (text.startsWith('timezone=')) {
    const timeZone = text.slice('timezone='.length)
    return rules.isTimeZone(timeZone) ? { timeZone } : undefined
  }
  if (!text.startsWith('max-affected=')) return undefined
  const digits = text.slice('max-affected='.length)
  return /^-?[0-9]{1,15}$/.test(digits) ? { maxAffected: Number(digits) } : {}
}

function stated(preferences: Preferences): Partial<Preferences> {
  return Object.fromEntries(
    Object.entries(preferences).filter(([, value]) => value !== undefined),
  ) as Partial<Preferences>
}

function labelled(name: string, value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : `${name}=${value}`
}
