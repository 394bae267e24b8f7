// Joins class names, leaving out what is absent. Pure.

export function cx(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
