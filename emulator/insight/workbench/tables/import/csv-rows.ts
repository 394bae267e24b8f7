// Parses CSV (RFC 4180) in chunks. The first record names the columns. An empty field is null, and `""` is an empty text.
import { parseJson } from '../../../../core/json.ts'
import type { Column, Table } from '../../../tables/table.ts'
import type { RowSink, RowSource } from './file-row.ts'

interface Field {
  text: string
  isQuoted: boolean
}

/** The column of each field. `undefined` marks a field that the import ignores. */
interface Header {
  readonly fields: readonly (Column | undefined)[]
  readonly columns: readonly string[]
}

type State =
  /** The parser is inside a quoted field. */
  | 'quoted'
  /** The parser is after a quote in a quoted field. The field ends here, unless a second quote follows. */
  | 'closed'
  | 'bare'
  /** The parser is before the first character of a field. */
  | 'start'

export class CsvRows implements RowSource {
  readonly #table: Table
  readonly #sink: RowSink
  #state: State = 'start'
  #field: Field = { text: '', isQuoted: false }
  #record: Field[] = []
  #header: Header | undefined
  #line = 1
  #recordLine = 1
  #isAfterReturn = false

  constructor(table: Table, sink: RowSink) {
    this.#table = table
    this.#sink = sink
  }

  push(text: string): void {
    let from = 0
    while (from < text.length) from = this.#take(text, from)
  }

  end(): void {
    if (this.#state === 'quoted') {
      this.#problem('a quoted field is not closed before the end of the file')
      return
    }
    if (this.#state !== 'start' || this.#record.length > 0) this.#endRecord()
    if (this.#header === undefined)
      this.#problem('the file is empty: its first line must name the columns')
  }

  /** Consumes a run of ordinary characters, or one special character. Returns the index after it. */
  #take(text: string, from: number): number {
    const run = this.#state === 'quoted' ? /[^"\r\n]+/y : /[^",\r\n]+/y
    run.lastIndex = from
    const plain = run.exec(text)?.[0]
    if (plain !== undefined) {
      this.#plain(plain)
      return from + plain.length
    }
    const special = text[from] ?? ''
    if (this.#state === 'quoted') this.#inQuotes(special)
    else this.#outside(special)
    this.#countLine(special)
    return from + 1
  }

  #plain(text: string): void {
    this.#isAfterReturn = false
    if (this.#state === 'closed') {
      this.#problem('there is text after a closing quote; write a quote inside a field twice')
      return
    }
    if (this.#state === 'start') this.#state = 'bare'
    this.#field.text += text
  }

  #inQuotes(special: string): void {
    if (special === '"') this.#state = 'closed'
    else this.#field.text += special
  }

  #outside(special: string): void {
    if (special === '"') this.#quote()
    else if (special === ',') this.#endField()
    else if (!(special === '\n' && this.#isAfterReturn)) this.#endRecord()
  }

  #quote(): void {
    if (this.#state === 'bare') {
      this.#problem('there is a quote inside a field that does not begin with one')
      return
    }
    if (this.#state === 'closed') this.#field.text += '"'
    this.#field.isQuoted = true
    this.#state = 'quoted'
  }

  #countLine(special: string): void {
    if (special === '\r' || (special === '\n' && !this.#isAfterReturn)) this.#line++
    this.#isAfterReturn = special === '\r'
    if (this.#record.length === 0 && this.#state === 'start') this.#recordLine = this.#line
  }

  #endField(): void {
    this.#record.push(this.#field)
    this.#field = { text: '', isQuoted: false }
    this.#state = 'start'
  }

  #endRecord(): void {
    this.#endField()
    const record = this.#record
    this.#record = []
    const isBlank = record.length === 1 && record[0]?.text === '' && !record[0].isQuoted
    // Ignores blank lines, except in a file with one column, where a blank line is a row with null.
    if (isBlank && (this.#header === undefined || this.#header.fields.length > 1)) return
    if (this.#header === undefined) this.#header = this.#readHeader(record)
    else this.#readRow(record, this.#header)
  }

  #readHeader(record: readonly Field[]): Header {
    const names = record.map(({ text }) => text)
    const fields = names.map((name, index) => {
      const column = this.#table.columns.find((each) => each.name === name)
      if (column === undefined) this.#problem(`${this.#table.name} has no column "${name}"`)
      else if (names.indexOf(name) !== index) this.#problem(`the column "${name}" appears twice`)
      return column === undefined || column.generation !== null ? undefined : column
    })
    return { fields, columns: fields.flatMap((column) => column?.name ?? []) }
  }

  #readRow(record: readonly Field[], { fields, columns }: Header): void {
    if (record.length !== fields.length) {
      this.#problem(`the row has ${record.length} fields, but the first line has ${fields.length}`)
      return
    }
    let members = ''
    const jsonNulls: string[] = []
    for (const [index, column] of fields.entries()) {
      const field = record[index]
      if (column === undefined || field === undefined) continue
      const value = this.#valueOf(column, field)
      if (value === undefined) return
      if (isJson(column) && value.trim() === 'null' && field.text !== '')
        jsonNulls.push(column.name)
      members += `${members === '' ? '' : ','}${JSON.stringify(column.name)}:${value}`
    }
    this.#sink.row({ line: this.#recordLine, columns, json: `{${members}}`, jsonNulls })
  }

  // JSON columns contain JSON text, which is used unchanged.
  #valueOf(column: Column, { text, isQuoted }: Field): string | undefined {
    if (text === '' && !isQuoted) return 'null'
    if (text.includes('\0')) {
      this.#problem('the character NUL cannot be stored', column.name)
      return undefined
    }
    if (!isJson(column)) return JSON.stringify(text)
    if (parseJson(text) !== undefined) return text
    this.#problem('the value is not valid JSON', column.name)
    return undefined
  }

  #problem(message: string, column: string | null = null): void {
    this.#sink.problem({ line: this.#recordLine, column, message })
  }
}

function isJson({ shape }: Column): boolean {
  return shape === 'json' || shape === 'jsonb'
}
