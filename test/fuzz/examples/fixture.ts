// The type of the target's cases, and stored cases that once failed.
export type FixtureCase =
  | { readonly yaml: string; readonly rows: string }
  /** Bytes in base64, sent as a bundle. */
  | { readonly bundle: string }

export const FIXTURE_EXAMPLES: Readonly<Record<string, FixtureCase>> = {}
