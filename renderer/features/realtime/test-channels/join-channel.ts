// Joins a test channel as any identity, with a realtime token of its own.
import type { IdentityReference } from '../../../../emulator/contract/identities.ts'
import { useInfo } from '../../../api/info.ts'
import { mintToken } from '../../../api/tokens.ts'
import { identityLabel } from '../../../parts/identity-text.ts'
import { PROBLEMS } from '../texts.ts'
import { type JoinDraft, joinOf, tokenOrderOf } from './join-draft.ts'
import { startProbe } from './probes.ts'

/** @throws {ApiError} @throws {Error} from the function, when the identity has no token */
export type JoinChannel = (identity: IdentityReference, draft: JoinDraft) => Promise<void>

export function useJoinChannel(tenant: string): JoinChannel {
  const { data: info } = useInfo()
  return async (identity, draft) => {
    const order = tokenOrderOf(identity, tenant)
    if (info === undefined) throw new Error(PROBLEMS.addresses)
    if (order === undefined) throw new Error(PROBLEMS.requestIdentity)
    const { token } = await mintToken(order)
    startProbe({
      url: info.realtime_url,
      token,
      tenant,
      identity: identityLabel(identity),
      join: joinOf(draft, identity, `proj_${tenant}`),
    })
  }
}
