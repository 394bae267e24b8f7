// Turns the engine's work into requests to the database worker, and a rehearsal's replies into its result. Pure.
import type { Actor, Answer, TenantQuestions, TenantWork } from '../engine.ts'
import { requireOwnRole } from '../own-role.ts'
import type {
  Rehearsal,
  RehearsalQuestions,
  RehearsalResult,
  RehearsedScript,
} from '../rehearsal.ts'
import { parseBackendMessages } from '../wire-protocol/backend-messages.ts'
import type {
  AskRequest,
  Question,
  QuestionGroup,
  RehearsalPart,
  RehearseRequest,
  RunRequest,
} from './worker-protocol.ts'

/** @throws {SqlError} as `requireOwnRole` */
export function toRehearseRequest(rehearsal: Rehearsal): Omit<RehearseRequest, 'id'> {
  const { actor, after, before, maxResultBytes, scripts, settings } = rehearsal
  const { schemaName } = actor
  return {
    kind: 'rehearse',
    ...requireOwnRole(actor),
    settings: Object.entries(settings),
    scripts: scripts.map(({ text }) => text),
    before: before.map((group) => toQuestionGroup(schemaName, group)),
    after: after.map((group) => toQuestionGroup(schemaName, group)),
    maxResultBytes,
  }
}

function toQuestionGroup(
  schemaName: Actor['schemaName'],
  group: RehearsalQuestions,
): QuestionGroup {
  const { role } = requireOwnRole({ schemaName, role: group.role })
  const settings = Object.entries(group.settings)
  return { role, settings, text: group.statement.text, questions: toQuestions(group.questions) }
}

function toQuestions(questions: TenantQuestions['questions']): readonly Question[] {
  return questions.map(({ settings, params }) => ({ settings: Object.entries(settings), params }))
}

/** Cuts the replies of a rehearsal out of `bytes`. */
export function rehearsalResult(
  bytes: Uint8Array,
  parts: readonly RehearsalPart[],
  durationMillis: number,
): RehearsalResult {
  const scripts: RehearsedScript[] = []
  const answers = { before: [] as Answer[], after: [] as Answer[] }
  let at = 0
  for (const part of parts) {
    const { error, results } = parseBackendMessages(bytes.subarray(at, at + part.bytes))
    at += part.bytes
    if (part.kind === 'script') scripts.push({ results, error, durationMillis: part.millis })
    else answers[part.kind].push(error ?? results[0]?.rows ?? [])
  }
  return { scripts, ...answers, durationMillis, cleanUpMillis: 0 }
}

/** @throws {SqlError} as `requireOwnRole` */
export function toAskRequest(asked: TenantQuestions): Omit<AskRequest, 'id'> {
  return {
    kind: 'ask',
    ...requireOwnRole(asked.actor),
    settings: Object.entries(asked.settings),
    text: asked.statement.text,
    questions: toQuestions(asked.questions),
    onlyRelation: asked.onlyRelation,
  }
}

/** @throws {SqlError} as `requireOwnRole` */
export function toRunRequest(work: TenantWork): Omit<RunRequest, 'id'> {
  return {
    kind: 'run',
    ...requireOwnRole(work.actor),
    settings: Object.entries(work.settings),
    readOnly: work.mode === 'readOnly',
    statements:
      'text' in work.statements
        ? work.statements.text
        : work.statements.map(({ text, params }) => ({ text, params })),
    rollback: work.end === 'rollback',
    postcondition: work.postcondition,
    maxResultBytes: work.maxResultBytes,
    refusesLargeResults: work.refusesLargeResults,
    firesNoEventTriggers: work.firesNoEventTriggers,
  }
}
