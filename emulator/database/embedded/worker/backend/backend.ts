// Exchanges messages with the Postgres backend inside the wasm module, and reads and writes the backend's memory. Replaces
// PGlite's own message loop, which parses every message a second time and hides wasm traps.
import { inspect } from 'node:util'
import { ADDRESSES, FUNCTIONS, type PostgresModule } from './postgres-module.ts'

/** Callbacks that pass input and output in pieces. */
export interface Streaming {
  /**
   * Called with the output so far when a statement reads past the last message (COPY FROM STDIN). The callback blocks until
   * there is input.
   */
  nextInput(output: Uint8Array): Uint8Array
  /** Called with the output so far when the output is long. */
  onOutput(output: Uint8Array): void
}

/** The backend trapped or left its loop. The main thread must replace the worker. */
export class BackendDied extends Error {
  override readonly name = 'BackendDied'
}

// PGlite's exit code for "an error was thrown, re-enter the main loop" (pglitec.c, POSTGRES_MAIN_LONGJMP).
const LONG_JUMP_STATUS = 100
const KEPT_OUTPUT_BYTES = 1 << 20
const STREAMED_ABOVE_BYTES = 1 << 18
const LINE_BYTES = 8_192
/** The largest number of UTF-8 bytes of a UTF-16 code unit. */
const MAX_UTF8_BYTES = 3

/** The one backend of this worker. The backend is synchronous and not re-entrant. */
export class Backend {
  readonly module: PostgresModule
  readonly #constants = new Map<string, number>()
  #input: Uint8Array = new Uint8Array(0)
  #inputAt = 0
  #output = new Uint8Array(KEPT_OUTPUT_BYTES)
  #outputLength = 0
  #streaming: Streaming | undefined
  #messageEnd = 0
  /** Called with the kind of each frontend message when the engine reads the message. All messages must be complete. */
  onMessage: ((kind: number) => void) | undefined
  #memory: DataView = new DataView(new ArrayBuffer(0))
  /** A second view of the memory, for writing text. */
  #bytes: Buffer = Buffer.from(new ArrayBuffer(0))
  /** The module's own view, from which the two views above were made. The module replaces this view when the heap grows. */
  #heap: Uint8Array | undefined
  /** Address of the kept allocation for short strings; 0 before its first use. */
  #line = 0
  #isLineTaken = false

  /** Takes over the module's input and output. @throws {BackendDied} when the module lacks a function */
  constructor(module: PostgresModule) {
    this.module = module
    for (const name of FUNCTIONS)
      if (typeof module[name] !== 'function') throw new BackendDied(`the engine has no ${name}`)
    for (const name of ADDRESSES)
      if (typeof module[name] !== 'number') throw new BackendDied(`the engine has no ${name}`)
    const read = module.addFunction((at = 0, room = 0) => this.#read(at, room), 'ipi')
    const write = module.addFunction((at = 0, length = 0) => this.#write(at, length), 'ipi')
    module._pgl_set_rw_cbs(read, write)
  }

  /** Sends messages and returns the whole answer. @throws {BackendDied} */
  exchange(messages: Uint8Array): Uint8Array {
    this.#input = messages
    this.#inputAt = 0
    this.#messageEnd = 0
    this.#outputLength = 0
    const { module } = this
    while (this.#inputAt < this.#input.length || module._pq_buffer_remaining_data() > 0)
      this.#step()
    this.guarded(() => module._PostgresSendReadyForQueryIfNecessary())
    module._pgl_pq_flush()
    const reply = this.#takeOutput()
    if (this.#output.length > KEPT_OUTPUT_BYTES) this.#output = new Uint8Array(KEPT_OUTPUT_BYTES)
    return reply
  }

  /** Works as `exchange` with input and output in pieces; returns the last piece of the output. @throws {BackendDied} */
  stream(messages: Uint8Array, streaming: Streaming): Uint8Array {
    this.#streaming = streaming
    try {
      return this.exchange(messages)
    } finally {
      this.#streaming = undefined
    }
  }

  /**
   * Calls an engine function outside the message loop. Returns `undefined` when the function raised an error; the engine then
   * cleans up as in the loop.
   * @throws {BackendDied} on anything but an ordinary error
   */
  guarded<Result>(call: () => Result): Result | undefined {
    const { module } = this
    const stack = module.stackSave()
    try {
      return call()
    } catch (thrown) {
      module.stackRestore(stack)
      if (!isLongJump(thrown)) throw new BackendDied(describeTrap(thrown), { cause: thrown })
      this.#recover()
      return undefined
    }
  }

  /** Whether a transaction is open, including a failed transaction that waits for its ROLLBACK. */
  isInTransaction(): boolean {
    return this.module._IsTransactionState() !== 0 || this.module._IsTransactionBlock() !== 0
  }

  get heapBytes(): number {
    return this.module.HEAPU8.length
  }

  readWord(address: number): number {
    return this.memory.getUint32(address, true)
  }

  writeWord(address: number, value: number): void {
    this.memory.setUint32(address, value, true)
  }

  /** A view of the whole heap. The view is valid until the heap grows. */
  get memory(): DataView {
    // Reading `buffer` of shared memory is slow, and a clone of 30 tables calls this function thousands of times.
    const heap = this.module.HEAPU8
    if (this.#heap !== heap) {
      this.#heap = heap
      this.#memory = new DataView(heap.buffer)
      this.#bytes = Buffer.from(heap.buffer)
    }
    return this.#memory
  }

  /** Returns the address of a C string that lives as long as the worker, for constants and role names. */
  constant(text: string): number {
    const known = this.#constants.get(text)
    if (known !== undefined) return known
    const address = this.#allocate(text)
    this.#constants.set(text, address)
    return address
  }

  /** Passes a C string to `use`. The string is gone afterwards. */
  withText<Result>(text: string, use: (address: number) => Result): Result {
    if (!this.#isLineTaken && text.length * MAX_UTF8_BYTES < LINE_BYTES)
      return this.#withLine(text, use)
    const address = this.#allocate(text)
    try {
      return use(address)
    } finally {
      this.module._free(address)
    }
  }

  // Uses one kept allocation for short strings. Most strings are short values of settings, and each job sets ten settings.
  #withLine<Result>(text: string, use: (address: number) => Result): Result {
    if (this.#line === 0) this.#line = this.#allocate(' '.repeat(LINE_BYTES - 1))
    const { memory } = this
    const length = this.#bytes.write(text, this.#line, 'utf8')
    memory.setUint8(this.#line + length, 0)
    this.#isLineTaken = true
    try {
      return use(this.#line)
    } finally {
      this.#isLineTaken = false
    }
  }

  /** Returns the text of the C string at `address`, at most 64 bytes. */
  readText(address: number): string {
    if (address === 0) return ''
    const bytes = this.module.HEAPU8.slice(address, address + 64)
    const end = bytes.indexOf(0)
    return Buffer.from(bytes.subarray(0, end < 0 ? bytes.length : end)).toString('latin1')
  }

  #allocate(text: string): number {
    const bytes = Buffer.from(`${text}\0`)
    const address = this.module._malloc(bytes.length)
    if (address === 0) throw new BackendDied('the engine has no memory left')
    this.module.HEAPU8.set(bytes, address)
    return address
  }

  #takeOutput(): Uint8Array {
    const output = this.#output.slice(0, this.#outputLength)
    this.#outputLength = 0
    return output
  }

  #step(): void {
    const { module } = this
    const stack = module.stackSave()
    try {
      module._PostgresMainLoopOnce()
    } catch (thrown) {
      module.stackRestore(stack)
      if (!isLongJump(thrown)) throw new BackendDied(describeTrap(thrown), { cause: thrown })
      this.#recover()
    }
  }

  #recover(): void {
    try {
      this.module._PostgresMainLongJmp()
    } catch (thrown) {
      throw new BackendDied(describeTrap(thrown), { cause: thrown })
    }
  }

  #read(at: number, room: number): number {
    if (this.#inputAt >= this.#input.length && this.#streaming !== undefined) {
      this.#input = this.#streaming.nextInput(this.#takeOutput())
      this.#inputAt = 0
      this.#messageEnd = 0
    }
    const end = this.onMessage === undefined ? this.#input.length : this.#endOfMessage()
    const chunk = this.#input.subarray(this.#inputAt, Math.min(end, this.#inputAt + room))
    this.module.HEAPU8.set(chunk, at)
    this.#inputAt += chunk.length
    return chunk.length
  }

  // Passes one message at a time to the engine, so that `onMessage` is called when the engine reads the message.
  #endOfMessage(): number {
    const at = this.#inputAt
    if (at < this.#messageEnd || at >= this.#input.length) return this.#messageEnd
    const { buffer, byteOffset } = this.#input
    this.#messageEnd = at + 1 + new DataView(buffer, byteOffset).getUint32(at + 1)
    this.onMessage?.(this.#input[at] ?? 0)
    return this.#messageEnd
  }

  #write(at: number, length: number): number {
    if (this.#streaming !== undefined && this.#outputLength > STREAMED_ABOVE_BYTES)
      this.#streaming.onOutput(this.#takeOutput())
    const wanted = this.#outputLength + length
    if (wanted > this.#output.length) {
      const grown = new Uint8Array(Math.max(wanted, this.#output.length * 2))
      grown.set(this.#output.subarray(0, this.#outputLength))
      this.#output = grown
    }
    this.#output.set(this.module.HEAPU8.subarray(at, at + length), this.#outputLength)
    this.#outputLength = wanted
    return length
  }
}

function isLongJump(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'status' in thrown &&
    thrown.status === LONG_JUMP_STATUS
  )
}

function describeTrap(thrown: unknown): string {
  return `the engine stopped: ${describeThrown(thrown)}`
}

/** Describes a thrown value; the engine's own code throws plain objects. */
export function describeThrown(thrown: unknown): string {
  return thrown instanceof Error
    ? `${thrown.name}: ${thrown.message}`
    : inspect(thrown, { depth: 1 })
}
