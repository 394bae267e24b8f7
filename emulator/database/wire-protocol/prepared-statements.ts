// Prepares statements whose text was seen before. The statements' names contain a random secret, so that no tenant can execute,
// replace or deallocate these statements. The cleaning of the session discards all prepared statements.
import type { Sql } from '../sql.ts'
import type { FrontendMessages } from './frontend-messages.ts'

const MAX_NAMED = 400
const MAX_SEEN = 2_000

export class PreparedStatements {
  readonly #secret: string
  /** The statements' names by role and text, least recently used first. */
  #names = new Map<string, string>()
  /** The names of statements of the engine's own, by text. */
  readonly #kept = new Map<string, string>()
  readonly #seen: Set<string>
  /** The names of statements that the next use closes. */
  #outdated: string[] = []
  #counter = 0

  /**
   * @param secret begins the statements' names
   * @param seen the texts that were seen before. The connections to one server share the same texts
   */
  constructor(secret: string, seen: Set<string> = new Set()) {
    this.#secret = secret
    this.#seen = seen
  }

  /** Appends the messages that run `statement` as `role`, prepared when its text was seen before. */
  append(messages: FrontendMessages, role: string, statement: Pick<Sql, 'text' | 'params'>): void {
    const name = this.nameOf(messages, role, statement.text)
    if (name !== undefined) messages.bind(name, statement.params).describePortal().execute()
    else messages.statement(statement.text, statement.params)
  }

  /**
   * Returns the statement's name, and appends a Parse message when the statement is not prepared. Returns `undefined` when the
   * text is seen for the first time.
   */
  nameOf(messages: FrontendMessages, role: string, text: string): string | undefined {
    if (this.#outdated.length > 0)
      for (const old of this.#outdated.splice(0)) messages.closeStatement(old)
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

  /** Returns the name of a statement that every session prepares at its first use. Appends a Parse message when it is needed. */
  keptName(messages: FrontendMessages, text: string): string {
    const known = this.#kept.get(text)
    if (known !== undefined) return known
    const name = this.freshName()
    this.#kept.set(text, name)
    messages.parse(name, text)
    return name
  }

  /** Returns a name that no statement has had. */
  freshName(): string {
    return `${this.#secret}${++this.#counter}`
  }

  /**
   * Closes the statements before the next use. Called after a change of the schema: Postgres plans a statement again, but keeps
   * the types of its parameters, and the columns of a function's rows.
   */
  outdate(): void {
    this.#outdated.push(...this.#names.values())
    this.#names.clear()
  }

  /** Forgets all names. Called when the session's named statements were discarded. */
  forgetNames(): void {
    this.#names.clear()
    this.#kept.clear()
    this.#outdated = []
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
    const name = this.freshName()
    this.#names.set(key, name)
    return name
  }
}
