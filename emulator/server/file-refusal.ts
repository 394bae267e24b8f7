// Assigns a refused request to the tenant that its credential names, so that the tenant's own journal shows it. Services record
// the tenant only after they have verified the credential.
import type { HeaderReader } from '../core/headers.ts'
import type { RequestFacts } from '../core/observation.ts'
import { claimedSchemaOf } from '../platform/credentials/unverified-claims.ts'

export function fileRefusal(facts: RequestFacts, { status, headers, target }: Refused): void {
  if (status < 400 || facts.schemaName !== undefined || facts.groupId !== undefined) return
  const schemaName = claimedSchemaOf(headers, target)
  if (schemaName !== undefined) Object.assign(facts, { schemaName, isSchemaClaimed: true })
}

interface Refused {
  readonly status: number
  readonly headers: HeaderReader
  /** Path and query of the request, secrets included. */
  readonly target: string
}
