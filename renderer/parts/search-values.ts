// Reading the search part of an address: any text may stand there, wrong values are left out. Pure.

export type RawSearch = Readonly<Record<string, unknown>>

/** A text that is not empty; numbers become their text. */
export function textIn(raw: RawSearch, name: string): string | undefined {
  const value = raw[name]
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberIn(raw: RawSearch, name: string): number | undefined {
  const value = typeof raw[name] === 'string' && raw[name] !== '' ? Number(raw[name]) : raw[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function flagIn(raw: RawSearch, name: string): true | undefined {
  return raw[name] === true || raw[name] === 'true' || raw[name] === 1 ? true : undefined
}

/** One of the given words. */
export function choiceIn<Word extends string>(
  raw: RawSearch,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === raw[name])
}

/** Several texts; one alone counts as a list of one. */
export function listIn(raw: RawSearch, name: string): readonly string[] | undefined {
  const value = raw[name]
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === 'string' && one !== '',
  )
  return texts.length === 0 ? undefined : texts
}

/** Leaves out what is `undefined`, so that addresses stay short. */
export function compact<Search extends object>(
  search: {
    readonly [Name in keyof Search]: Search[Name] | undefined
  },
): Partial<Search> {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined),
  ) as Partial<Search>
}
