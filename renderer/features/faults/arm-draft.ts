// The form that orders a fault: what it holds, and the order it makes of it. Pure.
import type {
  FaultCatalogue,
  FaultEffect,
  FaultOrder,
  FaultService,
} from '../../../emulator/contract/faults.ts'
import { EFFECTS } from './fault-words.ts'

export const ANY = 'any'

export type CatalogueOperation = FaultCatalogue['operations'][number]
export type CatalogueError = FaultCatalogue['errors'][number]

export interface ArmDraft {
  /** Of the catalogue, or `any`. */
  readonly operation: string
  /** Where no operation is chosen. */
  readonly service: FaultService | typeof ANY
  readonly project: string
  readonly role: 'anon' | 'authenticated' | 'service_role' | typeof ANY
  readonly subject: string
  readonly effect: FaultEffect['kind']
  readonly code: string
  readonly ms: string
  readonly jitter: string
  readonly count: string
  readonly probability: string
}

/** As the address asks for it. */
export function newDraft(
  catalogue: FaultCatalogue,
  operation: string | undefined,
  code: string | undefined,
): ArmDraft {
  const known = catalogue.operations.find((one) => one.operation === operation)
  const draft: ArmDraft = {
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
  }
  return settled(catalogue, draft)
}

/** The draft with an effect and a code that its operation knows. */
export function settled(catalogue: FaultCatalogue, draft: ArmDraft): ArmDraft {
  const effects = effectsOf(catalogue, draft)
  const effect = effects.includes(draft.effect) ? draft.effect : (effects[0] ?? 'latency')
  const codes = codesOf(catalogue, draft)
  const code = codes.some((one) => one.code === draft.code) ? draft.code : (codes[0]?.code ?? '')
  return { ...draft, effect, code }
}

export function effectsOf(
  { operations }: FaultCatalogue,
  { operation }: ArmDraft,
): readonly FaultEffect['kind'][] {
  return operations.find((one) => one.operation === operation)?.effects ?? EFFECTS
}

/** Errors that can be had: the operation's, else the service's, else all; each code once. */
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

/** What is wrong with a field; none when it can be ordered. */
export function problemsOf(draft: ArmDraft): Partial<Readonly<Record<keyof ArmDraft, string>>> {
  const needsMillis = draft.effect === 'latency' || draft.effect === 'realtime_delay'
  return {
    ...(draft.effect === 'error' && draft.code === '' ? { code: 'A code is needed.' } : {}),
    ...(needsMillis && !isWhole(draft.ms) ? { ms: 'Whole milliseconds are needed.' } : {}),
    ...(draft.effect === 'latency' && draft.jitter !== '' && !isWhole(draft.jitter)
      ? { jitter: 'Whole milliseconds, or nothing.' }
      : {}),
    ...(draft.count !== '' && !(isWhole(draft.count) && Number(draft.count) > 0)
      ? { count: 'A number from 1, or nothing.' }
      : {}),
    ...(isShare(draft.probability) ? {} : { probability: 'A number from 0 to 1.' }),
  }
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
      ...(operation === undefined
        ? draft.service === ANY
          ? {}
          : { service: draft.service }
        : { service: operation.service, operation: operation.operation }),
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
