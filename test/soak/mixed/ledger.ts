// Records the changes that the platform has acknowledged: the value that each item must have. An item has two possible values
// while a request that changes it has no answer. Names and values are texts; the value `undefined` means that the item does not
// exist.

type Value = string | undefined

/**
 * How a request ended: with success (`done`), with a refusal that changed nothing, or without a clear answer (`unknown`).
 */
export type Ending = 'done' | 'refused' | 'unknown'

interface Entry {
  readonly certain: Value
  readonly possible?: { readonly value: Value }
}

export class Ledger {
  #entries = new Map<string, Entry>()
  readonly #name: string
  readonly #onDone: (line: string) => void

  /** @param onDone called with one line for each acknowledged change */
  constructor(name: string, onDone: (line: string) => void) {
    this.#name = name
    this.#onDone = onDone
  }

  /** Names below a prefix of items that certainly exist, and that no unanswered request changes. */
  settled(prefix: string): readonly string[] {
    return [...this.#entries]
      .filter(([name, { certain, possible }]) => isHere(name, prefix, certain) && !possible)
      .map(([name]) => name)
  }

  /** Whether an item may have this value now. */
  allows(name: string, value: Value): boolean {
    const entry = this.#entries.get(name)
    return (
      entry?.certain === value || (entry?.possible !== undefined && entry.possible.value === value)
    )
  }

  certain(name: string): Value {
    return this.#entries.get(name)?.certain
  }

  /** Runs a request that changes an item, and records the new value according to the answer. */
  async change(name: string, value: Value, request: () => Promise<Ending>): Promise<Ending> {
    const certain = this.certain(name)
    this.#set(name, { certain, possible: { value } })
    const ending = await request()
    if (ending === 'refused') this.#set(name, { certain })
    if (ending === 'done') {
      this.#set(name, { certain: value })
      this.#onDone(`${this.#name} ${name} = ${value ?? 'removed'}`)
    }
    return ending
  }

  /**
   * Compares the records with the items that were found below a prefix. The found values then replace the records.
   * @returns one sentence for each difference
   */
  compare(prefix: string, found: ReadonlyMap<string, string>): readonly string[] {
    const names = new Set([...this.#names(prefix), ...found.keys()])
    const differences: string[] = []
    for (const name of names) {
      const value = found.get(name)
      if (!this.allows(name, value)) differences.push(this.#difference(name, value))
      this.#set(name, { certain: value })
    }
    return differences
  }

  /** Copies the records. Returns a function that restores the copy. */
  copy(): () => void {
    const entries = new Map(this.#entries)
    return () => {
      this.#entries = new Map(entries)
    }
  }

  #names(prefix: string): readonly string[] {
    return [...this.#entries.keys()].filter((name) => name.startsWith(prefix))
  }

  #difference(name: string, value: Value): string {
    const { certain, possible } = this.#entries.get(name) ?? {}
    const expected = [certain, ...(possible === undefined ? [] : [possible.value])]
    const texts = expected.map((each) => each ?? 'nothing').join(' or ')
    return `${this.#name} ${name} is ${value ?? 'lost'}, expected ${texts}`
  }

  #set(name: string, entry: Entry): void {
    if (entry.certain === undefined && entry.possible === undefined) this.#entries.delete(name)
    else this.#entries.set(name, entry)
  }
}

function isHere(name: string, prefix: string, certain: Value): boolean {
  return certain !== undefined && name.startsWith(prefix)
}
