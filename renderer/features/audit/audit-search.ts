// Search parameters in the address of the audit screen.
import { oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const AUDIT_VIEWS = ['picture', 'findings', 'contract', 'isolation'] as const
export type AuditView = (typeof AUDIT_VIEWS)[number]

export interface AuditSearch {
  /** The open view. The picture is open when the parameter is absent. */
  readonly view?: Exclude<AuditView, 'picture'> | undefined
  /** Slug of the tenant to compare with. The first other tenant is chosen when the parameter is absent. */
  readonly with?: string | undefined
}

export const parseAuditSearch: SearchReader<AuditSearch> = searchReader<AuditSearch>({
  view: oneOf(['findings', 'contract', 'isolation']),
  with: text,
})
