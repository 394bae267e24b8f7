// Maps values of the recording to values of the replay. Learned from answers: values at the same place correspond.

/** Values of one kind, such as the ids of one table. Values of different domains are independent. */
export type Domain = string

/** Ids, secrets and other texts that are unlike all others. */
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
  /** Texts to replace in requests, also in the form that URLs have. */
  readonly #translations = new Map<string, string>()

  constructor(parent?: Correspondence) {
    this.#parent = parent
  }

  /** Returns a correspondence that can learn without changing this one. */
  fork(): Correspondence {
    return new Correspondence(this)
  }

  /** Adds the correspondences that a fork found. */
  adopt(fork: Correspondence): void {
    for (const pair of fork.#replayed.values()) this.#add(pair)
    for (const [recorded, replayed] of fork.#instants) this.relateInstants(recorded, replayed)
  }

  /** Learns that two values correspond. Returns `false` when one of them already corresponds to another value. */
  relate(domain: Domain, recorded: string, replayed: string): boolean {
    const known = this.replayedOf(domain, recorded)
    if (known !== undefined) return known === replayed
    if (this.recordedOf(domain, replayed) !== undefined) return false
    this.#add({ domain, recorded, replayed })
    return true
  }

  /**
   * Records that two values correspond, and replaces their earlier correspondences. Tokens of the same second can be equal by
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

  /** Learns an instant. Several instants of the recording may fall on one of the replay, and the other way round. */
  relateInstants(recorded: string, replayed: string): void {
    this.#instants.set(recorded, replayed)
    this.#addTranslation(recorded, replayed)
  }

  instantOf(recorded: string): string | undefined {
    return this.#instants.get(recorded) ?? this.#parent?.instantOf(recorded)
  }

  /** Replaces every known text and instant of the recording, also in the form that URLs have. */
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

// masked~token~1 is no part of masked~token~12.
function ending(text: string): string {
  return /^masked~/.test(text) ? '(?!\\d)' : ''
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
