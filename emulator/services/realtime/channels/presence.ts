// Keeps the presence state of one room: each key has the metas of the channels that track it (docs/wire/realtime.md#presence).
// The state and its differences are JSON text, which is created once for all receivers. Pure.
import { type JsonValue, parseJson } from '../../../core/json.ts'

/** JSON text of the payload of a `presence_diff`. */
export type PresenceDiff = string

interface Meta {
  readonly key: string
  readonly ref: string
  /** The payload as JSON text from the client. */
  readonly payloadText: string
  /** The meta as JSON text. */
  readonly metaText: string
}

export class Presence<Tracker> {
  readonly #metas = new Map<Tracker, Meta>()
  readonly #byKey = new Map<string, Set<Tracker>>()

  /**
   * Adds a presence, or replaces the tracker's previous one under the same key. Returns `undefined` when nothing changed.
   * @param ref a new unique id
   * @param payloadText JSON text of an object
   */
  track(tracker: Tracker, key: string, ref: string, payloadText: string): PresenceDiff | undefined {
    const old = this.#metas.get(tracker)
    if (old?.payloadText === payloadText) return undefined
    const metaText = metaOf(payloadText, ref, old?.ref)
    this.#metas.set(tracker, { key, ref, payloadText, metaText })
    const trackers = this.#byKey.get(key) ?? new Set<Tracker>()
    this.#byKey.set(key, trackers.add(tracker))
    return diff(entryOf(key, [metaText]), old === undefined ? '' : entryOf(key, [old.metaText]))
  }

  /** Removes the tracker's presence. Returns `undefined` when the tracker had no presence. */
  untrack(tracker: Tracker): PresenceDiff | undefined {
    const old = this.#metas.get(tracker)
    if (old === undefined) return undefined
    this.#metas.delete(tracker)
    const trackers = this.#byKey.get(old.key)
    trackers?.delete(tracker)
    if (trackers?.size === 0) this.#byKey.delete(old.key)
    return diff('', entryOf(old.key, [old.metaText]))
  }

  /** Returns every key with its metas, for the inspector. */
  state(): Readonly<Record<string, readonly JsonValue[]>> {
    const metasOf = (trackers: ReadonlySet<Tracker>) =>
      [...trackers].map((tracker) => parseJson(this.#metas.get(tracker)?.metaText ?? '{}') ?? {})
    return Object.fromEntries([...this.#byKey].map(([key, trackers]) => [key, metasOf(trackers)]))
  }

  /** Returns `presence_state` as JSON text: every key with its metas, oldest first. */
  stateText(): string {
    const entries = [...this.#byKey].map(([key, trackers]) =>
      entryOf(
        key,
        [...trackers].map((tracker) => this.#metas.get(tracker)?.metaText ?? '{}'),
      ),
    )
    return `{${entries.join(',')}}`
  }
}

function diff(joins: string, leaves: string): PresenceDiff {
  return `{"joins":{${joins}},"leaves":{${leaves}}}`
}

function entryOf(key: string, metas: readonly string[]): string {
  return `${JSON.stringify(key)}:{"metas":[${metas.join(',')}]}`
}

// The server's members come last, because JSON parsers keep the last of two members with the same name.
function metaOf(payloadText: string, ref: string, previous: string | undefined): string {
  const own = [
    `"phx_ref":${JSON.stringify(ref)}`,
    ...(previous === undefined ? [] : [`"phx_ref_prev":${JSON.stringify(previous)}`]),
  ].join(',')
  const members = payloadText.slice(1, -1)
  return members === '' ? `{${own}}` : `{${members},${own}}`
}
