// Converts the form's draft of a new tenant to the order that the form sends. Pure.
import {
  isReservedSlug,
  MAX_SLUG_LENGTH,
  parseSlug,
  slugText,
} from '../../../emulator/contract/slugs.ts'
import type { TenantOrder } from '../../api/groups.ts'
import type { FormReading } from '../../ui/form.tsx'
import { jsonObjectOf, NOT_A_JSON_OBJECT } from '../../ui/form-values.ts'
import { SLUG_TOO_LONG, slugCharactersText, slugReservedText, slugTakenText } from './texts.ts'

export interface ProvisionDraft {
  readonly slug: string
  readonly externalId: string
  readonly metadata: string
}

export const EMPTY_DRAFT: ProvisionDraft = { slug: '', externalId: '', metadata: '' }

/** @param taken slugs of existing and removed tenants and of other projects. The emulator also refuses slugs of purged tenants. */
export function readDraft(
  draft: ProvisionDraft,
  taken: ReadonlySet<string>,
): FormReading<ProvisionDraft, TenantOrder> {
  const slug = draft.slug.trim()
  const externalId = draft.externalId.trim()
  const metadata = jsonObjectOf(draft.metadata)
  const slugProblem = slug === '' ? undefined : problemOfSlug(slug, taken)
  if (slug === '' || slugProblem !== undefined || metadata === undefined)
    return {
      kind: 'wrong',
      problems: {
        ...(slugProblem !== undefined && { slug: slugProblem }),
        ...(metadata === undefined && { metadata: NOT_A_JSON_OBJECT }),
      },
    }
  return {
    kind: 'ready',
    order: {
      slug,
      ...(externalId === '' ? {} : { external_id: externalId }),
      ...(draft.metadata.trim() === '' ? {} : { metadata }),
    },
  }
}

function problemOfSlug(slug: string, taken: ReadonlySet<string>): string | undefined {
  if (slug.length > MAX_SLUG_LENGTH) return SLUG_TOO_LONG
  if (parseSlug(slug) === undefined) return slugCharactersText(slugText(slug))
  if (isReservedSlug(slug)) return slugReservedText(slug)
  return taken.has(slug) ? slugTakenText(slug) : undefined
}
