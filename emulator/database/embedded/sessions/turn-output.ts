// Filters the backend's answers to a client of the Postgres port. Removes the platform's notice of a schema change and settings
// that the client already knows, and reads how the turn ended.
import type { TurnEnd, Write } from '../../../core/postgres-session.ts'
import type { SqlError } from '../../engine.ts'
import { isPlatformNotice } from '../../tenant-schema/ddl-notice.ts'
import { errorMessage, parseBackendMessages } from '../../wire-protocol/backend-messages.ts'
import { MessageCutter } from '../../wire-protocol/message-cutter.ts'

const NOTICE = 'N'.charCodeAt(0)
const ERROR = 'E'.charCodeAt(0)
const PARAMETER = 'S'.charCodeAt(0)
const COMPLETE = 'C'.charCodeAt(0)
const READY = 'Z'.charCodeAt(0)
const HEADER_BYTES = 5
const STATES: Readonly<Record<string, TurnEnd['state']>> = {
  I: 'idle',
  T: 'transaction',
  E: 'failed',
}

export class TurnOutput {
  /** The values of settings that the client has received. */
  readonly #reported: Map<string, string>
  readonly #cutter: MessageCutter
  #write: Write = () => undefined
  #unwritten: Uint8Array[] = []
  #end: { -readonly [Key in keyof TurnEnd]: TurnEnd[Key] } = NOTHING_YET
  #isSchemaChanged = false
  #cancelled: SqlError | undefined

  /** @param reported the values of settings that the client has received */
  constructor(reported: ReadonlyMap<string, string>) {
    this.#reported = new Map(reported)
    this.#cutter = new MessageCutter('NESCZ', {
      onMessage: (kind, message) => this.#onMessage(kind, message),
      onOther: (bytes) => this.#unwritten.push(bytes),
    })
  }

  begin(write: Write): void {
    this.#write = write
    this.#end = { ...NOTHING_YET }
    this.#cancelled = undefined
  }

  /**
   * Replaces the error of a cancelled turn with `reason`. Postgres does not know the reason and always reports "due to user
   * request".
   */
  onCancelled(reason: SqlError): void {
    this.#cancelled = reason
  }

  push(bytes: Uint8Array): void {
    this.#cutter.push(bytes)
  }

  /** Writes the collected messages. Returns a promise while the client has not read the messages. */
  flush(): Promise<void> | undefined {
    if (this.#unwritten.length === 0) return undefined
    const messages = Buffer.concat(this.#unwritten)
    this.#unwritten = []
    return this.#write(messages)
  }

  end(): TurnEnd {
    return this.#end
  }

  /** Whether a statement since the last call changed the schema. */
  takeSchemaChange(): boolean {
    const isSchemaChanged = this.#isSchemaChanged
    this.#isSchemaChanged = false
    return isSchemaChanged
  }

  #onMessage(kind: number, original: Uint8Array): void {
    const message = kind === ERROR ? this.#withReason(original) : original
    if (this.#isForClient(kind, message)) this.#unwritten.push(message)
  }

  #withReason(message: Uint8Array): Uint8Array {
    const reason = this.#cancelled
    if (reason === undefined) return message
    return parseBackendMessages(message).error?.code === reason.code
      ? errorMessage(reason)
      : message
  }

  #isForClient(kind: number, message: Uint8Array): boolean {
    if (kind === READY)
      this.#end.state = STATES[String.fromCharCode(message[HEADER_BYTES] ?? 0)] ?? 'pipeline'
    else if (kind === COMPLETE) this.#end.commandTag = textsOf(message)[0]
    else if (kind === ERROR) this.#noteError(message)
    else if (kind === NOTICE) return !this.#isSchemaNotice(message)
    else if (kind === PARAMETER) return this.#isNews(message)
    return true
  }

  #noteError(message: Uint8Array): void {
    const { error } = parseBackendMessages(message)
    if (error !== undefined) this.#end.error ??= { code: error.code, message: error.message }
  }

  #isSchemaNotice(message: Uint8Array): boolean {
    const isNotice = parseBackendMessages(message).notices.some(isPlatformNotice)
    if (isNotice) this.#isSchemaChanged = true
    return isNotice
  }

  #isNews(message: Uint8Array): boolean {
    const [name = '', value = ''] = textsOf(message)
    if (this.#reported.get(name) === value) return false
    this.#reported.set(name, value)
    return true
  }
}

const NOTHING_YET: TurnEnd = { state: 'pipeline', error: undefined, commandTag: undefined }

function textsOf(message: Uint8Array): readonly string[] {
  return Buffer.from(message.subarray(HEADER_BYTES)).toString('utf8').split('\0')
}
