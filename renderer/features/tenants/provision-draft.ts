// A tenant as it is being ordered. Pure.
import type { TenantOrder } from '../../api/groups.ts'

export interface ProvisionDraft {
  readonly slug: string
  readonly externalId: string
  readonly metadata: string
}

export const EMPTY_DRAFT: ProvisionDraft = { slug: '', externalId: '', metadata: '' }

/** `undefined` while the metadata is no JSON object; the slug is the platform's to judge. */
export function orderOf({ slug, externalId, metadata }: ProvisionDraft): TenantOrder | undefined {
  const parsed = metadata.trim() === '' ? {} : parse(metadata)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  return {
    slug: slug.trim(),
    ...(externalId.trim() === '' ? {} : { external_id: externalId.trim() }),
    ...(metadata.trim() === '' ? {} : { metadata: parsed as Readonly<Record<string, unknown>> }),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
