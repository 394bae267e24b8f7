// Search parameters in the address of the tokens screen. The parameters never contain a credential.
import { type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface TokensSearch {
  /** Id of the recorded request with the credential to show. */
  readonly request?: string | undefined
  /** Slug of the project that the mint form preselects. */
  readonly project?: string | undefined
  /** User that the mint form preselects. */
  readonly user?: string | undefined
}

export const parseTokensSearch: SearchReader<TokensSearch> = searchReader<TokensSearch>({
  request: text,
  project: text,
  user: text,
})
