// Decodes Postgres's messages to a client (PostgreSQL documentation, "Message Formats", protocol 3.0). Pure.
import { type Answer, type Field, type Notice, SqlError, type StatementResult } from '../engine.ts'

/** The results and messages of one exchange. */
export interface BackendReply {
  readonly results: readonly StatementResult[]
  readonly notices: readonly Notice[]
  /** The first error. A deferred constraint's error arrives after the statement's own result. */
  readonly error: SqlError | undefined
  /**
   * The transaction state after the last ReadyForQuery: idle, in a transaction, or in a failed one. The state is `undefined`
   * without a ReadyForQuery.
   */
  readonly ready: 'I' | 'T' | 'E' | undefined
}

/** Reads a whole reply. The cells of results are views into `bytes`. */
export function parseBackendMessages(bytes: Uint8Array): BackendReply {
  const reader = new Reader(bytes)
  const results: StatementResult[] = []
  const notices: Notice[] = []
  let error: SqlError | undefined
  let ready: BackendReply['ready']
  let fields: readonly Field[] = []
  let rows: (readonly (Uint8Array | null)[])[] = []
  const finish = (commandTag: string) => {
    results.push({ fields, rows, commandTag })
    fields = []
    rows = []
  }
  for (let kind = reader.next(); kind !== undefined; kind = reader.next()) {
    if (kind === DATA_ROW) rows.push(reader.row())
    else if (kind === ROW_DESCRIPTION) fields = reader.fields()
    else if (kind === COMMAND_COMPLETE) finish(reader.text())
    else if (kind === EMPTY_QUERY) finish('')
    else if (kind === READY_FOR_QUERY) ready = readyState(reader.byte())
    else if (kind === NOTICE) notices.push(toNotice(reader.report()))
    else if (kind === ERROR) error ??= toSqlError(reader.report(), results.length)
  }
  return { results, notices, error, ready }
}

/** Decodes one answer for each question: its rows, or its error. */
export function parseAnswers(bytes: Uint8Array): Answer[] {
  const reader = new Reader(bytes)
  const answers: Answer[] = []
  let rows: (readonly (Uint8Array | null)[])[] = []
  for (let kind = reader.next(); kind !== undefined; kind = reader.next()) {
    if (kind === DATA_ROW) rows.push(reader.row())
    else if (kind === COMMAND_COMPLETE || kind === ERROR) {
      answers.push(kind === ERROR ? toSqlError(reader.report()) : rows)
      rows = []
    }
  }
  return answers
}

/** Returns the first error of a reply and decodes nothing else. */
export function firstError(bytes: Uint8Array): SqlError | undefined {
  const reader = new Reader(bytes)
  let statementsDone = 0
  for (let kind = reader.next(); kind !== undefined; kind = reader.next())
    if (kind === ERROR) return toSqlError(reader.report(), statementsDone)
    else if (kind === COMMAND_COMPLETE) statementsDone += 1
  return undefined
}

const DATA_ROW = 'D'.charCodeAt(0)
const ROW_DESCRIPTION = 'T'.charCodeAt(0)
const COMMAND_COMPLETE = 'C'.charCodeAt(0)
const EMPTY_QUERY = 'I'.charCodeAt(0)
const READY_FOR_QUERY = 'Z'.charCodeAt(0)
const NOTICE = 'N'.charCodeAt(0)
const ERROR = 'E'.charCodeAt(0)
const HEADER_BYTES = 5
// A column's name is followed by the table's oid (4 bytes) and the column's number (2 bytes). The type's oid is followed by
// size 2, modifier 4 and format 2 bytes.
const BEFORE_TYPE_OID = 6
const AFTER_TYPE_OID = 8

type Report = ReadonlyMap<string, string>

const decoder = new TextDecoder()

class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0
  #end = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Steps to the next complete message and returns its kind. */
  next(): number | undefined {
    const start = this.#end
    if (start + HEADER_BYTES > this.#bytes.length) return undefined
    const end = start + 1 + this.#view.getInt32(start + 1)
    if (end > this.#bytes.length) return undefined
    this.#at = start + HEADER_BYTES
    this.#end = end
    return this.#bytes[start]
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0
  }

  text(): string {
    const end = this.#bytes.indexOf(0, this.#at)
    const text = decoder.decode(this.#bytes.subarray(this.#at, end))
    this.#at = end + 1
    return text
  }

  row(): (Uint8Array | null)[] {
    const count = this.#view.getInt16(this.#at)
    const cells = new Array<Uint8Array | null>(count)
    let at = this.#at + 2
    for (let index = 0; index < count; index++) {
      const length = this.#view.getInt32(at)
      at += 4
      cells[index] = length < 0 ? null : this.#bytes.subarray(at, at + length)
      if (length > 0) at += length
    }
    return cells
  }

  fields(): Field[] {
    const count = this.#view.getInt16(this.#at)
    this.#at += 2
    return Array.from({ length: count }, () => {
      const name = this.text()
      const typeOid = this.#view.getUint32(this.#at + BEFORE_TYPE_OID)
      this.#at += BEFORE_TYPE_OID + 4 + AFTER_TYPE_OID
      return { name, typeOid }
    })
  }

  /** Returns the fields of an error or a notice by their one-letter codes. */
  report(): Report {
    const report = new Map<string, string>()
    for (let code = this.byte(); code !== 0; code = this.byte())
      report.set(String.fromCharCode(code), this.text())
    return report
  }
}

/** Encodes an ErrorResponse for a client (PostgreSQL documentation, "Error and Notice Message Fields"). */
export function errorMessage({ code, message, hint }: SqlError): Uint8Array {
  const hintField = hint === undefined ? '' : `H${hint}\0`
  const fields = Buffer.from(`SERROR\0VERROR\0C${code}\0M${message}\0${hintField}\0`)
  const bytes = Buffer.alloc(fields.length + 5)
  bytes.write('E')
  bytes.writeUInt32BE(fields.length + 4, 1)
  fields.copy(bytes, 5)
  return bytes
}

function readyState(state: number): BackendReply['ready'] {
  const letter = String.fromCharCode(state)
  return letter === 'I' || letter === 'T' || letter === 'E' ? letter : undefined
}

function severityOf(report: Report): string {
  return report.get('V') ?? report.get('S') ?? 'ERROR'
}

function toNotice(report: Report): Notice {
  return {
    severity: severityOf(report),
    sqlState: report.get('C') ?? '00000',
    message: report.get('M') ?? '',
  }
}

function toSqlError(report: Report, statementsDone?: number): SqlError {
  const position = report.get('P')
  return new SqlError(report.get('C') ?? 'XX000', report.get('M') ?? 'unknown error', {
    severity: severityOf(report),
    details: report.get('D'),
    hint: report.get('H'),
    schema: report.get('s'),
    table: report.get('t'),
    column: report.get('c'),
    constraint: report.get('n'),
    routine: report.get('R'),
    position: position === undefined ? undefined : Number(position),
    statementsDone,
  })
}
