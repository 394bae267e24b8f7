// Converts the form's draft of a fault to the order that the form sends. Pure.
import type {
  FaultCatalogue,
  FaultEffect,
  FaultOrder,
  FaultService,
} from '../../../emulator/contract/faults.ts'
import type { Identity } from '../../../emulator/contract/identities.ts'
import type { FieldProblems, FormReading } from '../../ui/form.tsx'
import { membersOf } from '../../ui/form-values.ts'
import { EFFECTS, PROBLEMS } from './texts.ts'

export const ANY = 'any'

export type CatalogueOperation = FaultCatalogue['operations'][number]
export type CatalogueError = FaultCatalogue['errors'][number]

export interface ArmDraft {
  /** The target: an operation of the catalogue, or `any`. */
  readonly operation: string
  /** The target service, used only while no operation is chosen. */
  readonly service: FaultService | typeof ANY
  readonly project: string
  readonly role: Identity['role'] | typeof ANY
  readonly subject: string
  readonly effect: FaultEffect['kind']
  readonly code: string
  readonly ms: string
  readonly jitter: string
  readonly count: string
  readonly probability: string
}

/** Builds the initial draft with the operation and code from the address. */
export function newDraft(
  catalogue: FaultCatalogue,
  operation: string | undefined,
  code: string | undefined,
): ArmDraft {
  const known = catalogue.operations.find((one) => one.operation === operation)
  return settled(catalogue, {
    operation: known?.operation ?? ANY,
    service: ANY,
    project: ANY,
    role: ANY,
    subject: '',
    effect: 'error',
    code: code ?? '',
    ms: '2000',
    jitter: '',
    count: '1',
    probability: '1',
  })
}

/** Replaces an effect or a code that the chosen operation does not have. */
export function settled(catalogue: FaultCatalogue, draft: ArmDraft): ArmDraft {
  const effects = effectsOf(catalogue, draft)
  const effect = effects.includes(draft.effect) ? draft.effect : (effects[0] ?? 'latency')
  const codes = codesOf(catalogue, draft)
  const isKnown = codes.some(({ code }) => code === draft.code)
  return { ...draft, effect, code: isKnown ? draft.code : commonCode(catalogue, codes) }
}

// Returns the code that most operations document, so that the fault applies to as many requests as possible.
function commonCode({ operations }: FaultCatalogue, codes: readonly CatalogueError[]): string {
  const counts = codes.map(({ code }) => ({
    code,
    count: operations.filter((operation) => operation.codes.includes(code)).length,
  }))
  return counts.toSorted((one, other) => other.count - one.count)[0]?.code ?? ''
}

export function effectsOf(
  { operations }: FaultCatalogue,
  { operation }: ArmDraft,
): readonly FaultEffect['kind'][] {
  return operations.find((one) => one.operation === operation)?.effects ?? membersOf(EFFECTS)
}

/**
 * Lists the errors that the user can choose, each code once. These are the errors of the chosen operation, else of the chosen
 * service, else of all operations.
 */
export function codesOf(
  { operations, errors }: FaultCatalogue,
  { operation, service }: ArmDraft,
): readonly CatalogueError[] {
  const chosen = operations.find((one) => one.operation === operation)
  const fitting = errors.filter((error) =>
    chosen === undefined
      ? service === ANY || error.service === service
      : error.service === chosen.service && chosen.codes.includes(error.code),
  )
  return [...new Map(fitting.map((error) => [error.code, error])).values()]
}

export function readDraft(
  catalogue: FaultCatalogue,
  draft: ArmDraft,
): FormReading<ArmDraft, FaultOrder> {
  const problems = problemsOf(draft)
  return Object.keys(problems).length === 0
    ? { kind: 'ready', order: orderOf(catalogue, draft) }
    : { kind: 'wrong', problems }
}

export function hasMillis({ effect }: ArmDraft): boolean {
  return effect === 'latency' || effect === 'realtime_delay'
}

function problemsOf(draft: ArmDraft): FieldProblems<ArmDraft> {
  const { effect, code, ms, jitter, count, probability } = draft
  const isWrong = {
    code: effect === 'error' && code === '',
    ms: hasMillis(draft) && !isWhole(ms),
    jitter: effect === 'latency' && jitter !== '' && !isWhole(jitter),
    count: count !== '' && !(isWhole(count) && Number(count) > 0),
    probability: !isShare(probability),
  }
  return Object.fromEntries(
    Object.entries(PROBLEMS).filter(([field]) => Reflect.get(isWrong, field)),
  )
}

export function orderOf(catalogue: FaultCatalogue, draft: ArmDraft): FaultOrder {
  const operation = catalogue.operations.find((one) => one.operation === draft.operation)
  const subject = draft.subject.trim()
  const identity = {
    ...(draft.role === ANY ? {} : { role: draft.role }),
    ...(subject === '' ? {} : { subject }),
  }
  return {
    scope: {
      ...(operation !== undefined
        ? { service: operation.service, operation: operation.operation }
        : draft.service !== ANY && { service: draft.service }),
      ...(draft.project === ANY ? {} : { project: draft.project }),
      ...(Object.keys(identity).length === 0 ? {} : { identity }),
    },
    effect: effectOf(draft),
    ...(draft.count === '' ? {} : { count: Number(draft.count) }),
    ...(Number(draft.probability) === 1 ? {} : { probability: Number(draft.probability) }),
  }
}

function effectOf({ effect, code, ms, jitter }: ArmDraft): FaultEffect {
  switch (effect) {
    case 'error':
      return { kind: 'error', code }
    case 'latency':
      return jitter === ''
        ? { kind: 'latency', ms: Number(ms) }
        : { kind: 'latency', ms: Number(ms), jitter_ms: Number(jitter) }
    case 'realtime_delay':
      return { kind: 'realtime_delay', ms: Number(ms) }
    case 'answer_lost':
    case 'connection_dropped':
    case 'disk_full':
    case 'realtime_disconnect':
    case 'realtime_duplicate':
      return { kind: effect }
  }
}

function isWhole(text: string): boolean {
  return /^\d{1,9}$/.test(text.trim())
}

function isShare(text: string): boolean {
  const value = Number(text)
  return text.trim() !== '' && value >= 0 && value <= 1
}
