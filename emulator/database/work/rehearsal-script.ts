// The statements of a rehearsal in their order (../rehearsal.ts). The generators yield each step to a driver, which carries it
// out on its engine. The driver of the embedded engine is synchronous, and that of a server is asynchronous.
import type { Rehearsal, RehearsalQuestions } from '../rehearsal.ts'
import { FrontendMessages } from '../wire-protocol/frontend-messages.ts'

type Group = Pick<RehearsalQuestions, 'role' | 'settings' | 'questions'>

/** A step inside the transaction of the rehearsal. */
export type RehearsalStep<Questions extends Group> =
  /** Sends a statement of the engine's own, which fails only when it is cancelled. */
  | { readonly kind: 'own'; readonly messages: Uint8Array }
  /** Applies a role and settings, which last until the transaction ends or an earlier savepoint is rolled back. */
  | {
      readonly kind: 'enter'
      readonly role: Group['role']
      readonly settings: readonly (readonly [name: string, value: string])[]
    }
  /** Runs a script, and then checks deferred constraints. */
  | { readonly kind: 'script'; readonly text: string }
  /** Asks a question of a group, before or after the scripts. */
  | {
      readonly kind: 'before' | 'after'
      readonly group: Questions
      readonly params: Group['questions'][number]['params']
    }

/** The driver returns whether the step succeeded. */
export type RehearsalSteps<Questions extends Group, Result> = Generator<
  RehearsalStep<Questions>,
  Result,
  boolean
>

const own = (text: string): { readonly kind: 'own'; readonly messages: Uint8Array } => ({
  kind: 'own',
  messages: new FrontendMessages().query(text).bytes(),
})
const SAVEPOINT = own('savepoint tenantry_question')
const ROLL_BACK_QUESTION = own('rollback to savepoint tenantry_question')
const RELEASE = own('release savepoint tenantry_question')
// Restores the state of a new transaction, except for constraints that are deferrable and initially immediate.
const NEXT_SCRIPT = own('reset all; set constraints all deferred')
const READ_ONLY = ['transaction_read_only', 'on'] as const
/** Checks deferred constraints. Uses a simple query, which needs no Sync message after an error. */
export const CHECK_DEFERRED: Uint8Array = own('set constraints all immediate').messages

/** Asks questions that affect neither each other nor the scripts. A question that fails does not end the rehearsal. */
export function* askAll<Questions extends Group>(
  kind: 'before' | 'after',
  groups: readonly Questions[],
): RehearsalSteps<Questions, void> {
  if (groups.length === 0) return
  yield SAVEPOINT
  for (const group of groups)
    for (const { params, settings } of group.questions) {
      const all = [...Object.entries(group.settings), ...Object.entries(settings), READ_ONLY]
      yield { kind: 'enter', role: group.role, settings: all }
      yield { kind, group, params }
      yield ROLL_BACK_QUESTION
    }
  yield RELEASE
}

/** Runs the scripts until one fails. Returns whether all succeeded. */
export function* runScripts({
  actor: { role },
  scripts,
  settings,
}: Pick<Rehearsal, 'actor' | 'scripts' | 'settings'>): RehearsalSteps<never, boolean> {
  for (const [index, { text }] of scripts.entries()) {
    if (index > 0) yield NEXT_SCRIPT
    yield { kind: 'enter', role, settings: Object.entries(settings) }
    if (!(yield { kind: 'script', text })) return false
  }
  return true
}
