// Parses JSON in chunks: an array of objects, or one object after the other. Passes each object's original text to Postgres, so
// that numbers keep all digits.

import { isJsonObject, parseJson } from '../../../../core/json.ts'
import { shortened } from '../../../../core/printable.ts'
import type { Table } from '../../../tables/table.ts'
import type { RowSink, RowSource } from './file-row.ts'

/** A run of characters that do not affect the structure of the JSON text. */
const PLAIN = /[^"\\{}[\],\n\r\t ]+/y
const PLAIN_IN_TEXT = /[^"\\\n]+/y

export class JsonRows implements RowSource {
  readonly #table: Table
  readonly #sink: RowSink
  readonly #known: ReadonlySet<string>
  readonly #computed: ReadonlySet<string>
  #parts: string[] = []
  #depth = 0
  #isInText = false
  #isEscaped = false
  #isList = false
  #isListClosed = false
  #sawSomething = false
  #line = 1
  #rowLine = 1

  constructor(table: Table, sink: RowSink) {
    this.#table = table
    this.#sink = sink
    this.#known = new Set(table.columns.map(({ name }) => name))
    this.#computed = new Set(
      table.columns.filter(({ generation }) => generation !== null).map(({ name }) => name),
    )
  }

  push(text: string): void {
    let from = 0
    while (from < text.length) from = this.#take(text, from)
  }

  end(): void {
    this.#endRow()
    if (this.#depth > 0 || this.#isInText || (this.#isList && !this.#isListClosed))
      this.#problem('the file ends in the middle of a value', this.#line)
    else if (!this.#sawSomething)
      this.#problem('the file is empty: it should contain a list of objects', null)
  }

  #take(text: string, from: number): number {
    const run = this.#isInText ? PLAIN_IN_TEXT : PLAIN
    run.lastIndex = from
    const plain = this.#isEscaped ? undefined : run.exec(text)?.[0]
    if (plain !== undefined) {
      this.#add(plain)
      return from + plain.length
    }
    const special = text[from] ?? ''
    if (special === '\n') this.#line++
    if (this.#isInText) this.#inText(special)
    else this.#outside(special)
    return from + 1
  }

  #inText(special: string): void {
    this.#add(special)
    if (this.#isEscaped) this.#isEscaped = false
    else if (special === '\\') this.#isEscaped = true
    else if (special === '"') this.#isInText = false
  }

  #outside(special: string): void {
    switch (this.#depth > 0 ? '' : special) {
      case '[':
        if (!this.#isList && !this.#sawSomething && this.#parts.length === 0) {
          this.#isList = true
          this.#sawSomething = true
        } else this.#inValue(special)
        break
      case ']':
        this.#endRow()
        if (!this.#isList || this.#isListClosed) this.#problem('there is an extra ]', this.#line)
        this.#isListClosed = true
        break
      case ',':
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        this.#endRow()
        break
      default:
        this.#inValue(special)
    }
  }

  #inValue(special: string): void {
    this.#add(special)
    if (special === '"') this.#isInText = true
    else if (special === '{' || special === '[') this.#depth++
    else if (special === '}' || special === ']') {
      this.#depth--
      if (this.#depth <= 0) this.#endRow()
    }
  }

  #add(text: string): void {
    if (this.#parts.length === 0) this.#rowLine = this.#line
    this.#parts.push(text)
    this.#sawSomething = true
  }

  #endRow(): void {
    if (this.#parts.length === 0) return
    const text = this.#parts.join('')
    this.#parts = []
    this.#depth = 0
    const row = parseJson(text)
    if (row === undefined) this.#problem(`this is not valid JSON: ${shortened(text, SHOWN)}`)
    else if (!isJsonObject(row))
      this.#problem(`this is not a JSON object: ${shortened(text, SHOWN)}`)
    else if (this.#isListClosed) this.#problem('there is text after the end of the list')
    else this.#row(text, Object.keys(row))
  }

  #row(json: string, names: readonly string[]): void {
    const unknown = names.find((name) => !this.#known.has(name))
    if (unknown !== undefined) {
      this.#problem(`${this.#table.name} has no column "${unknown}"`, this.#rowLine, unknown)
      return
    }
    const given = new Set(names)
    const columns = this.#table.columns
      .map(({ name }) => name)
      .filter((name) => given.has(name) && !this.#computed.has(name))
    this.#sink.row({ line: this.#rowLine, columns, json })
  }

  #problem(
    message: string,
    line: number | null = this.#rowLine,
    column: string | null = null,
  ): void {
    this.#sink.problem({ line, column, message })
  }
}

const SHOWN = 60
