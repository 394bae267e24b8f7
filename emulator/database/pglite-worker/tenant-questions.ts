// One read asked again and again as one role, each time with settings and values of its own (engine.ts, TenantQuestions).
// Questions share a transaction, as long as none fails and none leaves anything behind that the next could notice.
import { firstError } from '../backend-messages.ts'
import { FrontendMessages } from '../frontend-messages.ts'
import type { Session } from './session.ts'
import { setLocal } from './settings.ts'
import { type Outcome, WorkRefused } from './tenant-work.ts'
import type { AskRequest, Question } from './worker-protocol.ts'

const CANCELLED = '57014'

/** One CommandComplete or one error per question, in their order. @throws {WorkRefused | BackendDied} */
export function answerQuestions(session: Session, request: AskRequest): Outcome {
  session.lendTo(request.schemaName)
  if (!session.assume(request.role))
    throw new WorkRefused('42704', `role "${request.role}" does not exist`)
  const role = session.identity.oidOf(request.role)
  const replies: Uint8Array[] = []
  session.fence.confinement = { relation: request.onlyRelation, role }
  let isOpen = false
  try {
    for (const question of request.questions) {
      if (!isOpen) open(session, request)
      setAll(session, question.settings)
      const reply = ask(session, request, question)
      replies.push(reply)
      const error = firstError(reply)
      isOpen = error === undefined && !session.isTouched
      if (!isOpen) session.abandon()
      if (session.isTouched) session.clean()
      if (error?.code === CANCELLED) break
    }
    if (isOpen) session.abandon()
  } finally {
    session.fence.confinement = undefined
    session.settle()
  }
  return { bytes: Buffer.concat(replies), committed: false }
}

function open(session: Session, request: AskRequest): void {
  const error = session.open('pipeline')
  if (error !== undefined) throw new WorkRefused(error.code, error.message)
  setAll(session, [...request.settings, ['transaction_read_only', 'on']])
}

function setAll(session: Session, settings: AskRequest['settings']): void {
  for (const [name, value] of settings)
    if (value.includes('\0') || !setLocal(session.backend, name, value)) {
      session.abandon()
      throw new WorkRefused('22023', `invalid value for setting "${name}"`)
    }
}

function ask(session: Session, request: AskRequest, question: Question): Uint8Array {
  const { role, text } = request
  const messages = new FrontendMessages()
  session.prepared.append(messages, role, { text, params: question.params })
  return session.within({ ...request, readOnly: true }, () =>
    session.exchangeCancellable(messages.bytes()),
  )
}
