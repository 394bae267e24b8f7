// Converts a rehearsal to a message for the database worker, and the worker's replies to the rehearsal's result. Pure.
import { type Answer, requireOwnRole } from '../engine.ts'
import type {
  Rehearsal,
  RehearsalQuestions,
  RehearsalResult,
  RehearsedScript,
} from '../rehearsal.ts'
import { parseBackendMessages } from '../wire-protocol/backend-messages.ts'
import {
  plainStatement,
  type RehearsalPart,
  type SentGroup,
  type SentRehearsal,
} from './worker-protocol.ts'

/** @throws {SqlError} as `requireOwnRole` */
export function sentRehearsal(rehearsal: Rehearsal): SentRehearsal {
  const { after, before, maxResultBytes, scripts, settings } = rehearsal
  const actor = requireOwnRole(rehearsal.actor)
  const sent = ({ role, statement, ...group }: RehearsalQuestions): SentGroup => ({
    ...group,
    role: requireOwnRole({ schemaName: actor.schemaName, role }).role,
    statement: plainStatement(statement),
  })
  return {
    actor,
    settings,
    scripts,
    before: before.map(sent),
    after: after.map(sent),
    maxResultBytes,
  }
}

/** Finds the replies of a rehearsal in `bytes` and returns them as its result. */
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
