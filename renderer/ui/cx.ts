// Joins class names and skips absent ones. Pure.

export function cx(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
