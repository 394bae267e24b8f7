// Encodes the messages of a client to Postgres (PostgreSQL documentation, "Message Formats", protocol 3.0). Pure.
import type { SqlParam } from '../sql.ts'

/** The writer collects messages in one buffer, so that a whole pipeline is one write. */
export class FrontendMessages {
  #buffer = Buffer.allocUnsafe(1024)
  #length = 0

  /** Parses `text` under `name`, where the empty name is the unnamed statement. */
  parse(name: string, text: string): this {
    const start = this.#begin(PARSE)
    this.#text(name)
    this.#text(text)
    this.#int16(0)
    return this.#finish(start)
  }

  /** Binds the statement `name` to the unnamed portal, with parameters and results in text format. */
  bind(name: string, params: readonly SqlParam[]): this {
    const start = this.#begin(BIND)
    this.#text('')
    this.#text(name)
    this.#int16(0)
    this.#int16(params.length)
    for (const param of params) this.#param(param)
    this.#int16(0)
    return this.#finish(start)
  }

  describePortal(): this {
    const start = this.#begin(DESCRIBE)
    this.#byte(PORTAL)
    this.#text('')
    return this.#finish(start)
  }

  /** Runs the unnamed portal to its end. */
  execute(): this {
    const start = this.#begin(EXECUTE)
    this.#text('')
    this.#int32(0)
    return this.#finish(start)
  }

  /** Appends a script in the simple query protocol. */
  query(text: string): this {
    const start = this.#begin(QUERY)
    this.#text(text)
    return this.#finish(start)
  }

  /** Appends Parse, Bind, Describe and Execute of one unnamed statement. */
  statement(text: string, params: readonly SqlParam[] = []): this {
    return this.parse('', text).bind('', params).describePortal().execute()
  }

  closeStatement(name: string): this {
    const start = this.#begin(CLOSE)
    this.#byte(STATEMENT)
    this.#text(name)
    return this.#finish(start)
  }

  copyFail(reason: string): this {
    const start = this.#begin(COPY_FAIL)
    this.#text(reason)
    return this.#finish(start)
  }

  sync(): this {
    return this.#finish(this.#begin(SYNC))
  }

  /** Appends messages that are already encoded. */
  append(messages: Uint8Array): this {
    this.#reserve(messages.length)
    this.#buffer.set(messages, this.#length)
    this.#length += messages.length
    return this
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  #reserve(count: number): void {
    const wanted = this.#length + count
    if (wanted <= this.#buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(wanted, this.#buffer.length * 2))
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
  }

  #begin(kind: number): number {
    this.#byte(kind)
    this.#int32(0)
    return this.#length - 4
  }

  #finish(start: number): this {
    this.#buffer.writeInt32BE(this.#length - start, start)
    return this
  }

  #byte(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#length++] = value
  }

  #int16(value: number): void {
    this.#reserve(2)
    this.#length = this.#buffer.writeUInt16BE(value, this.#length)
  }

  #int32(value: number): void {
    this.#reserve(4)
    this.#length = this.#buffer.writeInt32BE(value, this.#length)
  }

  #text(value: string): void {
    this.#reserve(value.length * 3 + 1)
    this.#length += this.#buffer.write(value, this.#length, 'utf8')
    this.#byte(0)
  }

  #param(value: SqlParam): void {
    if (value === null) {
      this.#int32(-1)
      return
    }
    this.#reserve(value.length * 3 + 4)
    const written = this.#buffer.write(value, this.#length + 4, 'utf8')
    this.#buffer.writeInt32BE(written, this.#length)
    this.#length += written + 4
  }
}

const PARSE = 'P'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)
const DESCRIBE = 'D'.charCodeAt(0)
const EXECUTE = 'E'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const COPY_FAIL = 'f'.charCodeAt(0)
const CLOSE = 'C'.charCodeAt(0)
const PORTAL = 'P'.charCodeAt(0)
const STATEMENT = 'S'.charCodeAt(0)
