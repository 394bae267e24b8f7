// Which statements are worth a name: those whose text was seen before. Names carry a secret of this start, so that no
// tenant can call, replace or drop one; they are forgotten whenever the session is cleaned.
import type { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import type { StatementText } from '../../worker-protocol.ts'

const MAX_NAMED = 400
const MAX_SEEN = 2_000

export class PreparedStatements {
  readonly #secret: string
  /** Text by role -> name, least recently used first. */
  #names = new Map<string, string>()
  #seen = new Set<string>()
  #counter = 0

  constructor(secret: string) {
    this.#secret = secret
  }

  /** Appends the messages that run `statement` as `role`, prepared when it came before. */
  append(messages: FrontendMessages, role: string, statement: StatementText): void {
    const name = this.nameOf(messages, role, statement.text)
    if (name !== undefined) messages.bind(name, statement.params).describePortal().execute()
    else messages.statement(statement.text, statement.params)
  }

  /** The name under which the statement is prepared, or is after `messages`; none when it came for the first time. */
  nameOf(messages: FrontendMessages, role: string, text: string): string | undefined {
    const key = `${role} ${text}`
    const name = this.#names.get(key)
    if (name !== undefined) {
      this.#names.delete(key)
      this.#names.set(key, name)
      return name
    }
    if (!this.#wasSeen(key)) return undefined
    const fresh = this.#nameFor(messages, key)
    messages.parse(fresh, text)
    return fresh
  }

  /** All named statements are gone, or have to go, from the session. */
  forgetNames(): void {
    this.#names.clear()
  }

  #wasSeen(key: string): boolean {
    if (this.#seen.has(key)) return true
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear()
    this.#seen.add(key)
    return false
  }

  #nameFor(messages: FrontendMessages, key: string): string {
    const oldest = this.#names.size >= MAX_NAMED ? this.#names.entries().next().value : undefined
    if (oldest !== undefined) {
      this.#names.delete(oldest[0])
      messages.closeStatement(oldest[1])
    }
    const name = `${this.#secret}${++this.#counter}`
    this.#names.set(key, name)
    return name
  }
}
