// A case of this target, and those that failed once.
export type FixtureCase =
  | { readonly yaml: string; readonly rows: string }
  /** Bytes in base64, sent as a bundle. */
  | { readonly bundle: string }

export const FIXTURE_EXAMPLES: Readonly<Record<string, FixtureCase>> = {}
