// Reads values of the bucket form. Pure.

/** Converts typed megabytes to bytes. Returns `null` for no limit and `undefined` when the text is not a number. */
export function bytesOfMegabytes(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? Math.round(value * 1_048_576) : undefined
}

/** Reads the types in a text such as `image/*, application/pdf`. Returns `null` when any type is allowed. */
export function mimeTypesOf(text: string): readonly string[] | null {
  const types = text.split(/[\s,]+/).filter((type) => type !== '')
  return types.length === 0 ? null : types
}
