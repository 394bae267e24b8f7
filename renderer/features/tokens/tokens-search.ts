// What the address of the tokens screen holds beside its path; never a credential.
import { type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface TokensSearch {
  /** Id of a recorded request whose credential is shown. */
  readonly request?: string | undefined
  /** Project preselected for minting, by slug. */
  readonly project?: string | undefined
  /** User preselected for minting. */
  readonly user?: string | undefined
}

export const parseTokensSearch: SearchReader<TokensSearch> = searchReader<TokensSearch>({
  request: text,
  project: text,
  user: text,
})
