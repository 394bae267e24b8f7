// Compares two lists: number, order and content of their elements. Pure, except that the comparison adds to the correspondence.
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import type { Comparing, Place } from './comparing.ts'
import { type Difference, difference } from './difference.ts'
import { withoutGenerated } from './generated-values.ts'

type Compare = (
  recorded: JsonValue,
  replayed: JsonValue,
  place: Place,
  comparing: Comparing,
) => readonly Difference[]

/** Lists whose order has no meaning, because the platform creates their elements at the same instant. */
const UNORDERED = /^(identities|factors|providers)$/

/** Pairs of indexes of elements that belong together. When only one side has the element, the other index is `undefined`. */
type Alignment = readonly (readonly [recorded: number | undefined, replayed: number | undefined])[]

/**
 * Compares elements with the same index first. When the lists differ, aligns them by the content of their elements, so that one
 * additional row is only one difference.
 */
export function compareLists(
  recorded: readonly JsonValue[],
  replayed: readonly JsonValue[],
  place: Place,
  comparing: Comparing,
  compare: Compare,
): readonly Difference[] {
  const attempt = (alignment: Alignment): readonly [readonly Difference[], Comparing] => {
    const trial = { ...comparing, pairs: comparing.pairs.fork() }
    return [compareAligned(recorded, replayed, { alignment, place, compare }, trial), trial]
  }
  const [inPlace, trial] = attempt(placeByPlace(recorded.length, replayed.length))
  const [differences, learned] = inPlace.length === 0 ? [inPlace, trial] : better()
  comparing.pairs.adopt(learned.pairs)
  return differences

  function better(): readonly [readonly Difference[], Comparing] {
    const [aligned, other] = attempt(bySignature(recorded, replayed))
    return aligned.length < inPlace.length ? [aligned, other] : [inPlace, trial]
  }
}

function compareAligned(
  recorded: readonly JsonValue[],
  replayed: readonly JsonValue[],
  {
    alignment,
    compare,
    place: { at, member },
  }: { readonly alignment: Alignment; readonly place: Place; readonly compare: Compare },
  comparing: Comparing,
): readonly Difference[] {
  const differences = alignment.flatMap(([here, there]): readonly Difference[] => {
    const value = here === undefined ? undefined : recorded[here]
    const found = there === undefined ? undefined : replayed[there]
    const where = `${at}[${here ?? there}]`
    if (value === undefined) return [difference('extra', where, undefined, found)]
    if (found === undefined) return [difference('missing', where, value, undefined)]
    return compare(value, found, { at: where, member }, comparing)
  })
  return UNORDERED.test(member) || isInOrder(alignment)
    ? differences
    : [difference('order', at, recorded, replayed), ...differences]
}

function isInOrder(alignment: Alignment): boolean {
  const order = alignment.flatMap(([here, there]) =>
    here === undefined || there === undefined ? [] : [there],
  )
  return order.every((place, index) => index === 0 || place > (order[index - 1] ?? 0))
}

function placeByPlace(count: number, otherCount: number): Alignment {
  return Array.from({ length: Math.max(count, otherCount) }, (_, index) => [
    index < count ? index : undefined,
    index < otherCount ? index : undefined,
  ])
}

// Pairs elements with the same content first. When both sides then have the same number of elements left, pairs these in order.
// Otherwise pairs only similar elements.
function bySignature(recorded: readonly JsonValue[], replayed: readonly JsonValue[]): Alignment {
  const places = new Map<string, number[]>()
  for (const [index, value] of replayed.entries()) {
    const signature = signatureOf(value)
    places.set(signature, [...(places.get(signature) ?? []), index])
  }
  const found = recorded.map((value) => places.get(signatureOf(value))?.shift())
  const rest = [...places.values()].flat().sort((a, b) => a - b)
  const isPaired = rest.length === found.filter((place) => place === undefined).length
  const take = (place: number | undefined): number | undefined => {
    if (place !== undefined) rest.splice(rest.indexOf(place), 1)
    return place
  }
  const aligned = found.map((place, index): readonly [number, number | undefined] => {
    if (place !== undefined) return [index, place]
    const alike = isPaired
      ? rest[0]
      : rest.find((other) => areAlike(recorded[index], replayed[other]))
    return [index, take(alike)]
  })
  return [...aligned, ...rest.map((place) => [undefined, place] as const)]
}

// Two objects are similar when more than half of their members are equal.
function areAlike(value: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || !isJsonObject(other)) return false
  const names = Object.keys({ ...value, ...other })
  const same = names.filter(
    (name) => signatureOf(value[name] ?? null) === signatureOf(other[name] ?? null),
  )
  return same.length * 2 > names.length
}

// Returns the content of an element without generated values and ids.
function signatureOf(value: JsonValue): string {
  return JSON.stringify(value, (name, each: unknown) => {
    if (typeof each === 'string') return withoutGenerated(each)
    if (typeof each === 'number' && (/^id$|_ids?$|^ids$/.test(name) || each > 1e9)) return 0
    return isJsonObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each
  })
}
