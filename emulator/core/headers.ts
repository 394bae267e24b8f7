// Headers of requests and answers as plain values. The Web's `Headers` takes longer than everything else that HTTP needs for a
// small answer (measured: 9 of 24 microseconds). `Headers` satisfies both interfaces.

/** Reads headers by name, in any case. Iterates in the order of the names, which are lower-case. */
export interface HeaderReader extends Iterable<[name: string, value: string]> {
  get(name: string): string | null
  has(name: string): boolean
}

export interface HeaderWriter extends HeaderReader {
  /** Replaces all values of the name. */
  set(name: string, value: string): void
  /** Adds a value to the values of the name. */
  append(name: string, value: string): void
}

const COOKIE = 'set-cookie'

type Headed = Iterable<readonly [name: string, value: string]>

/** The headers of an answer. */
export class HeaderList implements HeaderWriter {
  readonly #values = new Map<string, string>()
  /** Values of Set-Cookie, which must not be joined: each cookie needs its own header (RFC 6265 §3). */
  readonly #cookies: string[] = []

  constructor(headers: Headed = []) {
    for (const [name, value] of headers) this.append(name, value)
  }

  get(name: string): string | null {
    const key = name.toLowerCase()
    if (key === COOKIE && this.#cookies.length > 0) return this.#cookies.join(', ')
    return this.#values.get(key) ?? null
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  /** @throws {TypeError} when a header cannot contain the value */
  set(name: string, value: string): void {
    const key = name.toLowerCase()
    if (key === COOKIE) this.#cookies.splice(0, this.#cookies.length, sendable(name, value))
    else this.#values.set(key, sendable(name, value))
  }

  /** @throws {TypeError} when a header cannot contain the value */
  append(name: string, value: string): void {
    const key = name.toLowerCase()
    if (key === COOKIE) this.#cookies.push(sendable(name, value))
    else addTo(this.#values, key, sendable(name, value))
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    const cookies = this.#cookies.map((value): [string, string] => [COOKIE, value])
    return inOrder([...this.#values, ...cookies])
  }

  /** Returns the list in which names and values alternate, as node:http accepts it. */
  toLines(): string[] {
    const lines: string[] = []
    for (const [name, value] of this.#values) lines.push(name, value)
    for (const value of this.#cookies) lines.push(COOKIE, value)
    return lines
  }
}

/** Reads a request's headers from the list of node:http, in which names and values alternate. */
export function receivedHeaders(raw: readonly string[]): HeaderReader {
  const values = new Map<string, string>()
  for (let at = 0; at + 1 < raw.length; at += 2)
    addTo(values, (raw[at] ?? '').toLowerCase(), trimmed(raw[at + 1] ?? ''))
  return {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    has: (name) => values.has(name.toLowerCase()),
    [Symbol.iterator]: () => inOrder([...values]),
  }
}

// Joins the values of repeated headers as the Fetch standard does. Cookies have another separator (RFC 6265 §5.4).
function addTo(values: Map<string, string>, name: string, value: string): void {
  const earlier = values.get(name)
  const separator = name === 'cookie' ? '; ' : ', '
  values.set(name, earlier === undefined ? value : earlier + separator + value)
}

function inOrder(pairs: [string, string][]): IterableIterator<[string, string]> {
  return pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).values()
}

const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

function sendable(name: string, value: string): string {
  if (!UNSENDABLE.test(value)) return value
  throw new TypeError(`The value of the header ${name} contains a character that HTTP forbids.`)
}

const OUTER_SPACE = /^[\t ]+|[\t ]+$/g

function trimmed(value: string): string {
  return value.startsWith(' ') || value.startsWith('\t') || /[\t ]$/.test(value)
    ? value.replace(OUTER_SPACE, '')
    : value
}
