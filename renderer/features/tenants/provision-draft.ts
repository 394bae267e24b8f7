// Converts the form's draft of a new tenant to the order that the form sends. Pure.
import type { TenantOrder } from '../../api/groups.ts'
import type { FormReading } from '../../ui/form.tsx'
import { jsonObjectOf, NOT_A_JSON_OBJECT } from '../../ui/form-values.ts'

export interface ProvisionDraft {
  readonly slug: string
  readonly externalId: string
  readonly metadata: string
}

export const EMPTY_DRAFT: ProvisionDraft = { slug: '', externalId: '', metadata: '' }

/** The platform validates the slug, so this function does not. */
export function readDraft(draft: ProvisionDraft): FormReading<ProvisionDraft, TenantOrder> {
  const slug = draft.slug.trim()
  const externalId = draft.externalId.trim()
  const metadata = jsonObjectOf(draft.metadata)
  if (metadata === undefined) return { kind: 'wrong', problems: { metadata: NOT_A_JSON_OBJECT } }
  if (slug === '') return { kind: 'wrong', problems: {} }
  return {
    kind: 'ready',
    order: {
      slug,
      ...(externalId === '' ? {} : { external_id: externalId }),
      ...(draft.metadata.trim() === '' ? {} : { metadata }),
    },
  }
}
