// What the address of this screen holds beside its path; never a credential. Pure.
import { compact, type RawSearch, textIn } from '../../parts/search-values.ts'

export interface TokensSearch {
  /** A recorded request whose credential is shown. */
  readonly request?: string
  /** Project preselected for minting, by slug. */
  readonly project?: string
  /** User preselected for minting. */
  readonly user?: string
}

export function parseTokensSearch(raw: RawSearch): TokensSearch {
  return compact<TokensSearch>({
    request: textIn(raw, 'request'),
    project: textIn(raw, 'project'),
    user: textIn(raw, 'user'),
  })
}
