// Full names of buckets (`proj_<slug>_<name>`) and the short names on the screen, and values of the bucket form. Pure.

export function fullName(tenant: string, short: string): string {
  return `proj_${tenant}_${short}`
}

export function shortName(tenant: string, full: string): string {
  const prefix = `proj_${tenant}_`
  return full.startsWith(prefix) ? full.slice(prefix.length) : full
}

/** Bytes of the typed megabytes; `null` for no limit, `undefined` for a text that is not a number. */
export function bytesOfMegabytes(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? Math.round(value * 1_048_576) : undefined
}

/** The types in a text such as `image/*, application/pdf`; `null` for any type. */
export function mimeTypesOf(text: string): readonly string[] | null {
  const types = text.split(/[\s,]+/).filter((type) => type !== '')
  return types.length === 0 ? null : types
}
