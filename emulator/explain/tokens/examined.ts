// What examining a credential gives, and what every examination needs.

import type { OwnerStore } from '../../control/accounts/owners.ts'
import type { GroupStore } from '../../control/groups/groups.ts'
import type { Clock } from '../../core/clock.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { SchemaName } from '../../core/names.ts'
import type { EpochMillis } from '../../core/time.ts'
import type { ApiKeyLookup } from '../../credentials/api-key.ts'
import type { SigningKeys } from '../../credentials/signing-keys.ts'
import type { UserStandings } from '../../credentials/standing.ts'
import type { Verifier } from '../../credentials/verified.ts'
import type { Project, ProjectLookup } from '../../projects/project.ts'
import type { BucketStore } from '../../storage/buckets/bucket-store.ts'
import { type Flaw, flawed } from './flaw.ts'
import type { Signature } from './signature.ts'
import type { TokenText } from './token-text.ts'

export interface ExamineDeps {
  readonly verifier: Verifier
  readonly signingKeys: SigningKeys
  readonly projects: ProjectLookup
  readonly standings: UserStandings
  readonly apiKeys: ApiKeyLookup
  readonly groups: Pick<GroupStore, 'findGroup'>
  readonly owners: Pick<OwnerStore, 'findOwner'>
  readonly buckets: Pick<BucketStore, 'findBucket'>
  /** Whether an end user's session stands. */
  readonly hasSession: (
    schemaName: SchemaName,
    sessionId: string,
    userId: string,
  ) => Promise<boolean>
  readonly clock: Clock
}

export interface Examined {
  readonly signature: Signature
  readonly expiresAt: EpochMillis | undefined
  readonly project: Project | undefined
  /** Why it is refused; `undefined` while it holds. */
  readonly flaw: Flaw | undefined
  /** Whom it stands for, for people, e.g. `the group Acme`. */
  readonly bearer: string
}

export type Examination = (deps: ExamineDeps, token: TokenText) => Promise<Examined>

/** Of a text without expiry and project. */
export function examined(signature: Signature, flaw: Flaw | undefined, bearer: string): Examined {
  return { signature, flaw, bearer, expiresAt: undefined, project: undefined }
}

/** What a service's own reader has against a credential; `undefined` when it takes it. */
export async function refusalOf(read: () => Promise<unknown>): Promise<Flaw | undefined> {
  try {
    await read()
    return undefined
  } catch (error) {
    if (error instanceof EmulatorError) return flawed('credential', error.message)
    throw error
  }
}

/** Why a signature is no good; `undefined` when it is. */
export function signatureFlaw(signature: Signature): Flaw | undefined {
  const sentence = signatureSentence(signature)
  return sentence === undefined ? undefined : flawed('credential', sentence)
}

function signatureSentence(signature: Signature): string | undefined {
  switch (signature) {
    case 'unknown_key':
      return 'It was signed with a key this emulator does not have: it belongs to another emulator, another data directory or the hosted platform.'
    case 'invalid':
      return 'Its signature does not fit: it was changed after it was signed, or belongs to another emulator or data directory.'
    case 'not_signed':
      return 'It is not signed.'
    case 'valid':
      return undefined
  }
}
