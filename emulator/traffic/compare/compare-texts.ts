// Compares two texts. They agree when they are equal apart from generated values, and these values correspond.
import type { Comparing, Place } from './comparing.ts'
import { GLOBAL } from './correspondence.ts'
import { formOfInstant, type GeneratedPair, pairsOf } from './generated-values.ts'
import { instantOf } from './time-rules.ts'

/** Members whose whole value is generated, whatever its form. */
const GENERATED_MEMBER = /cursor|^phx_ref/i

/** Returns whether the texts agree, and learns the values that correspond. */
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
  const learned = comparing.pairs.fork()
  const isSame = found.every((pair) => agrees(pair, { ...comparing, pairs: learned }))
  if (isSame) comparing.pairs.adopt(learned)
  return isSame
}

function agrees({ kind, recorded, replayed }: GeneratedPair, { pairs, times }: Comparing): boolean {
  if (kind !== 'instant') return pairs.relate(GLOBAL, recorded, replayed)
  if (recorded === replayed || pairs.instantOf(recorded) === replayed) return true
  const [then, here] = [instantOf(recorded), instantOf(replayed)]
  if (then === undefined || here === undefined) return false
  if (formOfInstant(recorded) !== formOfInstant(replayed) || !times.agree(then, here)) return false
  pairs.relateInstants(recorded, replayed)
  return true
}
