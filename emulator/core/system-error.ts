// Reads the code of an error of the operating system.

/** Returns the code, e.g. `ENOENT`, or `undefined` for an error without one. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
