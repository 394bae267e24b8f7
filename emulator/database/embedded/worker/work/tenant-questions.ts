// Runs one read many times as one role, each time with other settings and values (engine.ts, TenantQuestions). Questions share
// a transaction as long as none fails and none changes the session.
import type { SqlError, TenantQuestions } from '../../../engine.ts'
import { firstError } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import { isStale } from '../../../work/work-rules.ts'
import type { SentQuestions } from '../../worker-protocol.ts'
import type { Session } from '../session/session.ts'
import { setLocal } from '../session/settings.ts'
import { type Outcome, WorkRefused } from './tenant-work.ts'

const CANCELLED = '57014'
// Questions never wait for locks: the wait would roll back the transaction with the answers of earlier questions.
const never = () => false

/** Returns one CommandComplete or one error per question, in their order. @throws {WorkRefused | BackendDied} */
export function answerQuestions(session: Session, asked: SentQuestions): Outcome {
  const { schemaName, role } = asked.actor
  session.lendTo(schemaName)
  if (!session.assume(role)) throw new WorkRefused('42704', `role "${role}" does not exist`)
  const { onlyRelation: relation } = asked
  if (relation !== undefined)
    session.fence.confinement = { relation, role: session.identity.oidOf(role) }
  const { locking } = session
  const owner = locking.open(schemaName)
  try {
    const answers = locking.during(owner, never, () => new QuestionRun(session, asked).answers())
    return { bytes: Buffer.concat(answers), committed: false }
  } finally {
    locking.close(owner)
    session.fence.confinement = undefined
    session.settle()
  }
}

type Question = TenantQuestions['questions'][number]

interface QuestionReply {
  readonly reply: Uint8Array
  readonly error: SqlError | undefined
}

class QuestionRun {
  readonly #session: Session
  readonly #asked: SentQuestions
  #isOpen = false
  /** The messages of the previous question, kept because the next question often has the same values. */
  #sent: { readonly params: Question['params']; readonly bytes: Uint8Array } | undefined

  constructor(session: Session, asked: SentQuestions) {
    this.#session = session
    this.#asked = asked
  }

  answers(): readonly Uint8Array[] {
    const replies: Uint8Array[] = []
    for (const question of this.#asked.questions) {
      const { reply, error } = this.#answer(question)
      replies.push(reply)
      if (error?.code === CANCELLED) break
    }
    if (this.#isOpen) this.#session.abandon()
    return replies
  }

  #answer(question: Question): QuestionReply {
    const first = this.#ask(question)
    if (first.error === undefined || !isStale(first.error)) return first
    this.#session.clean()
    this.#sent = undefined
    return this.#ask(question)
  }

  #ask(question: Question): QuestionReply {
    const session = this.#session
    this.#enter(question)
    const bytes = this.#messagesFor(question.params)
    const reply = session.within({ actor: this.#asked.actor, mode: 'readOnly' }, () =>
      session.exchangeCancellable(bytes),
    )
    const error = firstError(reply)
    this.#isOpen = error === undefined && !session.isTouched
    if (!this.#isOpen) session.abandon()
    if (session.isTouched) {
      session.clean()
      this.#sent = undefined
    }
    return { reply, error }
  }

  #enter(question: Question): void {
    if (!this.#isOpen) {
      const error = this.#session.open('pipeline')
      if (error !== undefined) throw new WorkRefused(error.code, error.message)
      this.#setAll(this.#asked.settings)
      this.#setAll(READ_ONLY)
    }
    this.#setAll(question.settings)
  }

  #setAll(settings: Question['settings']): void {
    for (const [name, value] of Object.entries(settings))
      if (value.includes('\0') || !setLocal(this.#session.backend, name, value)) {
        this.#session.abandon()
        throw new WorkRefused('22023', `invalid value for setting "${name}"`)
      }
  }

  // Sends no Describe message, because the rows' description is not used.
  #messagesFor(params: Question['params']): Uint8Array {
    if (this.#sent?.params === params) return this.#sent.bytes
    const { actor, statement } = this.#asked
    const { role } = actor
    const { text } = statement
    const messages = new FrontendMessages()
    const name = this.#session.prepared.nameOf(messages, role, text)
    const isNew = messages.bytes().length > 0
    if (name === undefined) messages.parse('', text)
    messages.bind(name ?? '', params).execute()
    const bytes = messages.bytes()
    if (name !== undefined && !isNew) this.#sent = { params, bytes }
    return bytes
  }
}

const READ_ONLY = { transaction_read_only: 'on' } as const
