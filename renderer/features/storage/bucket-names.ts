// Buckets are called `proj_<slug>_<name>`; people see the short name. Sizes as the form takes them. Pure.

export function fullName(tenant: string, short: string): string {
  return `proj_${tenant}_${short}`
}

export function shortName(tenant: string, full: string): string {
  const prefix = `proj_${tenant}_`
  return full.startsWith(prefix) ? full.slice(prefix.length) : full
}

/** Megabytes as typed → bytes; `null` for no limit, `undefined` for what is no size. */
export function bytesOfMegabytes(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? Math.round(value * 1_048_576) : undefined
}

/** `image/*, application/pdf` → the list; `null` for any type. */
export function mimeTypesOf(text: string): readonly string[] | null {
  const types = text.split(/[\s,]+/).filter((type) => type !== '')
  return types.length === 0 ? null : types
}
