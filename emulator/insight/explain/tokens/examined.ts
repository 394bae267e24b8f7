// The result of examining a credential, and the dependencies of all examinations.

import type { Clock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { EpochMillis } from '../../../core/time.ts'
import type { ApiKeyLookup } from '../../../platform/credentials/api-key.ts'
import type { SigningKeys } from '../../../platform/credentials/signing-keys.ts'
import type { UserStandings } from '../../../platform/credentials/standing.ts'
import type { Verifier } from '../../../platform/credentials/verify.ts'
import type { Project, ProjectLookup } from '../../../platform/projects/project.ts'
import type { OwnerStore } from '../../../services/control/accounts/owners.ts'
import type { GroupStore } from '../../../services/control/groups/groups.ts'
import type { BucketStore } from '../../../services/storage/buckets/bucket-store.ts'
import type { Signature } from './signature.ts'
import { type Flaw, flawed } from './token-state.ts'
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
  /** Returns whether the end user's session is active. */
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
  /** Why services refuse the credential; `undefined` while it is valid. */
  readonly flaw: Flaw | undefined
  /** Who holds the credential, in words that fit into a sentence, e.g. `the group Acme`. */
  readonly bearer: string
}

export type Examination = (deps: ExamineDeps, token: TokenText) => Promise<Examined>

/** Creates the result for a credential that has no expiry and no project. */
export function examined(signature: Signature, flaw: Flaw | undefined, bearer: string): Examined {
  return { signature, flaw, bearer, expiresAt: undefined, project: undefined }
}

/** Returns why a service's own reader refuses the credential; `undefined` when the reader accepts it. */
export async function refusalOf(read: () => Promise<unknown>): Promise<Flaw | undefined> {
  try {
    await read()
    return undefined
  } catch (error) {
    if (error instanceof EmulatorError) return flawed('credential', error.message)
    throw error
  }
}

/** Returns what is wrong with the signature; `undefined` when it is valid. */
export function signatureFlaw(signature: Signature): Flaw | undefined {
  const sentence = signatureSentence(signature)
  return sentence === undefined ? undefined : flawed('credential', sentence)
}

function signatureSentence(signature: Signature): string | undefined {
  switch (signature) {
    case 'unknown_key':
      return 'The token was signed with a key that this emulator does not have. The token belongs to another emulator, another data directory or the hosted platform.'
    case 'invalid':
      return 'The signature of the token does not match. The token was altered after signing, or belongs to another emulator or data directory.'
    case 'not_signed':
      return 'The token is not signed.'
    case 'valid':
      return undefined
  }
}
