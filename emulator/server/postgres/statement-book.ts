// Finds the statements that a client's messages run, for the journal. A simple query contains its text. An execution contains
// only the name of a portal, which was bound to a parsed statement.
import { shortened } from '../../core/printable.ts'
import { BODY, type ClientMessage, textAt } from './frontend-reader.ts'

/** Maximum length of a text. Longer texts are cut, because one turn can be a whole dump. */
const MAX_TEXT = 20_000

export class StatementBook {
  readonly #statements = new Map<string, string>()
  readonly #portals = new Map<string, string>()
  #texts: string[] = []
  #length = 0

  note(message: ClientMessage): void {
    switch (message.kind) {
      case 'Q':
        this.#run(textAt(message.bytes, BODY).text)
        break
      case 'P':
        this.#parse(message.bytes)
        break
      case 'B':
        this.#bind(message.bytes)
        break
      case 'E':
        this.#run(this.#portals.get(textAt(message.bytes, BODY).text) ?? '')
        break
      case 'C':
        this.#close(message.bytes)
        break
      default:
    }
  }

  /** Returns the texts that ran since the last call, in order. */
  take(): string {
    const text = this.#texts.join(';\n')
    this.#texts = []
    this.#length = 0
    return shortened(text, MAX_TEXT)
  }

  #run(text: string): void {
    if (text === '' || this.#length > MAX_TEXT) return
    this.#texts.push(text.trim())
    this.#length += text.length
  }

  #parse(bytes: Buffer): void {
    const { text: name, next } = textAt(bytes, BODY)
    this.#statements.set(name, textAt(bytes, next).text)
  }

  #bind(bytes: Buffer): void {
    const { text: portal, next } = textAt(bytes, BODY)
    this.#portals.set(portal, this.#statements.get(textAt(bytes, next).text) ?? '')
  }

  #close(bytes: Buffer): void {
    const named = bytes[BODY] === 'S'.charCodeAt(0) ? this.#statements : this.#portals
    named.delete(textAt(bytes, BODY + 1).text)
  }
}
