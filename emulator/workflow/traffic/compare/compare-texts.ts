// Compares two texts. They agree when they are equal apart from generated values, and these values correspond.
import { readClaims } from '../../../platform/credentials/unverified-claims.ts'
import type { CredentialFacts } from '../har/har.ts'
import { flatClaims } from '../masking/create-masker.ts'
import type { Comparing, Place } from './comparing.ts'
import { type Correspondence, GLOBAL } from './correspondence.ts'
import { formOfInstant, type GeneratedPair, pairsOf } from './generated-values.ts'
import { instantOf } from './time-rules.ts'

/** Members whose whole value is generated, in any format. */
const GENERATED_MEMBER = /cursor|^phx_ref/i

/** Returns whether the texts agree. Remembers which of their values correspond. */
export function compareTexts(
  recorded: string,
  replayed: string,
  { member }: Place,
  comparing: Comparing,
): boolean {
  if (GENERATED_MEMBER.test(member) && recorded !== '' && replayed !== '')
    return comparing.pairs.relate(`#${member}`, recorded, replayed)
      ? comparing.pairs.relate(GLOBAL, recorded, replayed)
      : false
  const found = pairsOf(comparing.moved(recorded), replayed)
  if (found === undefined) return false
  if (found.length === 0) return true
  const learned = comparing.pairs.fork()
  const isSame = found.every((pair) => agrees(pair, { ...comparing, pairs: learned }))
  if (isSame) comparing.pairs.adopt(learned)
  return isSame
}

function agrees({ kind, recorded, replayed }: GeneratedPair, comparing: Comparing): boolean {
  const { pairs, times } = comparing
  const claims = kind === 'secret' ? comparing.claimsOf(recorded) : undefined
  if (claims !== undefined && claims['iat'] !== undefined)
    return agreesAsToken(claims, recorded, replayed, pairs)
  if (kind !== 'instant') return pairs.relate(GLOBAL, recorded, replayed)
  if (recorded === replayed || pairs.instantOf(recorded) === replayed) return true
  const [then, here] = [instantOf(recorded), instantOf(replayed)]
  if (then === undefined || here === undefined) return false
  if (formOfInstant(recorded) !== formOfInstant(replayed) || !times.agree(then, here)) return false
  pairs.relateInstants(recorded, replayed)
  return true
}

/** Claims that identify who acts, and where. The claims in `IDS` must correspond, and the others must be equal. */
const IDENTITY = ['role', 'project_schema', 'origin_role', 'sdb_role', 'aal', 'scope']
const IDS = ['sub', 'project_id', 'session_id']

// Compares the claims of tokens, because only the claims of a token contain its ids.
function agreesAsToken(
  recorded: CredentialFacts['claims'],
  placeholder: string,
  token: string,
  pairs: Correspondence,
): boolean {
  const claims = readClaims(token)
  if (claims === undefined) return false
  const replayed = flatClaims(claims)
  const isSame =
    IDENTITY.every((name) => recorded[name] === replayed[name]) &&
    IDS.every((name) => {
      const [then, here] = [recorded[name], replayed[name]]
      if (then === here) return true
      return (
        typeof then === 'string' && typeof here === 'string' && pairs.relate(GLOBAL, then, here)
      )
    })
  if (isSame) pairs.renew(GLOBAL, placeholder, token)
  return isSame
}
