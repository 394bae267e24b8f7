// Compares two JSON values: shape, values, order and number of elements. Generated values agree when they correspond. Pure,
// except that the comparison adds to the correspondence.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { isPlaceholder } from '../masking/placeholders.ts'
import { compareLists } from './compare-lists.ts'
import { compareTexts } from './compare-texts.ts'
import { type Comparing, idDomain, type Place } from './comparing.ts'
import type { Correspondence } from './correspondence.ts'
import { type Difference, difference } from './difference.ts'
import { isOpaque } from './generated-values.ts'
import { instantOfNumber } from './time-rules.ts'

/** Durations, which differ between any two runs. */
const MEASURED = /^(duration_ms|elapsed_ms)$/
const ID = /^id$|_ids?$|^ids$|Id$/

export function compareValues(
  recorded: JsonValue,
  replayed: JsonValue,
  place: Place,
  comparing: Comparing,
): readonly Difference[] {
  // The recording contains a text in place of a masked number.
  if (typeof replayed === 'number' && isPlaceholder(recorded))
    return compareValues(recorded, String(replayed), place, comparing)
  const [type, other] = [typeOf(recorded), typeOf(replayed)]
  if (type !== other) return [difference('type', place.at, recorded, replayed)]
  if (Array.isArray(recorded) && Array.isArray(replayed))
    return compareLists(recorded, replayed, place, comparing, compareValues)
  if (isJsonObject(recorded) && isJsonObject(replayed))
    return compareObjects(recorded, replayed, place, comparing)
  const isSame =
    typeof recorded === 'string'
      ? compareTexts(recorded, String(replayed), place, comparing)
      : typeof recorded === 'number'
        ? areNumbersSame(recorded, Number(replayed), place, comparing)
        : recorded === replayed
  return isSame ? [] : [difference('value', place.at, recorded, replayed)]
}

function compareObjects(
  recorded: JsonObject,
  replayed: JsonObject,
  { at }: Place,
  comparing: Comparing,
): readonly Difference[] {
  const names = namePairs(recorded, replayed, comparing.pairs)
  return names.flatMap(([name, other]) => {
    const value = name === undefined ? undefined : recorded[name]
    const found = other === undefined ? undefined : replayed[other]
    const where = `${at}.${name ?? other}`
    if (value === undefined) return [difference('extra', where, undefined, found)]
    if (found === undefined) return [difference('missing', where, value, undefined)]
    return compareValues(value, found, { at: where, member: name ?? '' }, comparing)
  })
}

// Pairs the names of members. The keys of presence are generated values, so names that only one side has are paired in their
// order.
function namePairs(
  recorded: JsonObject,
  replayed: JsonObject,
  pairs: Correspondence,
): readonly (readonly [string | undefined, string | undefined])[] {
  const names = Object.keys(recorded)
  const taken = new Set<string>()
  const unknown = Object.keys(replayed).filter((name) => !(name in recorded) && isOpaque(name))
  const found = names.map((name): readonly [string, string | undefined] => {
    const other =
      name in replayed
        ? name
        : isOpaque(name)
          ? (pairs.replayedOf('', name) ?? unknown.find((each) => !taken.has(each)))
          : undefined
    if (other === undefined || !(other in replayed)) return [name, undefined]
    taken.add(other)
    if (other !== name) pairs.relate('', name, other)
    return [name, other]
  })
  const extra = Object.keys(replayed).filter((name) => !taken.has(name))
  return [...found, ...extra.map((name) => [undefined, name] as const)]
}

function areNumbersSame(
  recorded: number,
  replayed: number,
  { member }: Place,
  { pairs, recordedNow, route, times }: Comparing,
): boolean {
  if (ID.test(member)) return pairs.relate(idDomain(route, member), `${recorded}`, `${replayed}`)
  if (recorded === replayed || MEASURED.test(member)) return true
  const [then, here] = [
    instantOfNumber(recorded, recordedNow),
    instantOfNumber(replayed, recordedNow),
  ]
  return then !== undefined && here !== undefined && times.agree(then, here)
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
