// Maps values of the recording to values of the replay. The replay learns the pairs from answers: values at the same place
// correspond.

/** The kind of a value, such as ids of one table. A value can occur in several domains with different meanings. */
export type Domain = string

/** The domain of ids, secrets and other texts that occur only with one meaning. */
export const GLOBAL: Domain = ''

interface Pair {
  readonly domain: Domain
  readonly recorded: string
  readonly replayed: string
}

export class Correspondence {
  readonly #parent: Correspondence | undefined
  readonly #replayed = new Map<string, Pair>()
  readonly #recorded = new Map<string, Pair>()
  readonly #instants = new Map<string, string>()
  /** Texts to replace in requests. Contains each text also in its URL-encoded form. */
  readonly #translations = new Map<string, string>()

  constructor(parent?: Correspondence) {
    this.#parent = parent
  }

  /** Returns a correspondence that knows these pairs, and can learn without changing this one. */
  fork(): Correspondence {
    return new Correspondence(this)
  }

  /** Adds all pairs that a fork has learned. */
  adopt(fork: Correspondence): void {
    for (const pair of fork.#replayed.values()) this.#add(pair)
    for (const [recorded, replayed] of fork.#instants) this.relateInstants(recorded, replayed)
  }

  /** Learns that two values correspond. Returns `false` when one of them already corresponds to a third value. */
  relate(domain: Domain, recorded: string, replayed: string): boolean {
    const known = this.replayedOf(domain, recorded)
    if (known !== undefined) return known === replayed
    if (this.recordedOf(domain, replayed) !== undefined) return false
    this.#add({ domain, recorded, replayed })
    return true
  }

  /**
   * Records that two values correspond, and replaces their earlier pairs, because two tokens of the same second can be equal by
   * chance.
   */
  renew(domain: Domain, recorded: string, replayed: string): void {
    this.#add({ domain, recorded, replayed })
  }

  replayedOf(domain: Domain, recorded: string): string | undefined {
    return (
      this.#replayed.get(keyOf(domain, recorded))?.replayed ??
      this.#parent?.replayedOf(domain, recorded)
    )
  }

  /** Learns an instant. Several instants of one side may correspond to the same instant of the other side. */
  relateInstants(recorded: string, replayed: string): void {
    this.#instants.set(recorded, replayed)
    this.#addTranslation(recorded, replayed)
  }

  instantOf(recorded: string): string | undefined {
    return this.#instants.get(recorded) ?? this.#parent?.instantOf(recorded)
  }

  /** Replaces every known text and instant of the recording, also in its URL-encoded form. */
  translate(text: string): string {
    const found = new Map<string, string>()
    for (const [recorded, replayed] of this.#texts())
      if (text.includes(recorded)) found.set(recorded, replayed)
    if (found.size === 0) return text
    const longestFirst = [...found.keys()].sort((a, b) => b.length - a.length)
    const any = new RegExp(
      longestFirst.map((each) => `${escaped(each)}${ending(each)}`).join('|'),
      'g',
    )
    return text.replace(any, (value) => found.get(value) ?? value)
  }

  *#texts(): Iterable<readonly [recorded: string, replayed: string]> {
    if (this.#parent !== undefined) yield* this.#parent.#texts()
    yield* this.#translations
  }

  recordedOf(domain: Domain, replayed: string): string | undefined {
    return (
      this.#recorded.get(keyOf(domain, replayed))?.recorded ??
      this.#parent?.recordedOf(domain, replayed)
    )
  }

  #add(pair: Pair): void {
    this.#replayed.set(keyOf(pair.domain, pair.recorded), pair)
    this.#recorded.set(keyOf(pair.domain, pair.replayed), pair)
    if (pair.domain === GLOBAL) this.#addTranslation(pair.recorded, pair.replayed)
  }

  #addTranslation(recorded: string, replayed: string): void {
    this.#translations.set(recorded, replayed)
    // URLs cannot contain half of a surrogate pair.
    if (recorded.isWellFormed() && replayed.isWellFormed())
      this.#translations.set(encodeURIComponent(recorded), encodeURIComponent(replayed))
  }
}

function keyOf(domain: Domain, value: string): string {
  return `${domain}\u0000${value}`
}

// A placeholder must not match the beginning of a longer one: masked~token~1 is not a part of masked~token~12.
function ending(text: string): string {
  return /^masked~/.test(text) ? '(?!\\d)' : ''
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
