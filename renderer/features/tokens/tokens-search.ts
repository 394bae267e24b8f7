// What the address of this screen holds beside its path; never a credential. Pure.

export interface TokensSearch {
  /** A recorded request whose credential is shown. */
  readonly request?: string
  /** Project preselected for minting, by slug. */
  readonly project?: string
  /** User preselected for minting. */
  readonly user?: string
}

export function parseTokensSearch(raw: Readonly<Record<string, unknown>>): TokensSearch {
  const search: { -readonly [Name in keyof TokensSearch]: TokensSearch[Name] } = {}
  for (const name of ['request', 'project', 'user'] as const) {
    const value = raw[name]
    if (typeof value === 'string' && value !== '') search[name] = value
  }
  return search
}
