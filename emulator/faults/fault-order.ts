// What an order of a fault looks like, and whether it can ever be met (contract/faults.ts).
import { z } from 'zod'
import { InspectorError } from '../api-kit/errors.ts'
import type { FaultEffect, FaultOrder, FaultScope } from '../contract/faults.ts'
import type { JsonValue } from '../core/json.ts'
import { ERROR_SOURCES } from './errors/error-sources.ts'
import type { FaultOperation } from './operations/fault-operation.ts'
import { OPERATIONS } from './operations/find-operation.ts'

const HOUR_MILLIS = 3_600_000
const millis = z.int().min(0).max(HOUR_MILLIS)

const effect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('error'), code: z.string().min(1) }),
  z.strictObject({ kind: z.literal('latency'), ms: millis, jitter_ms: millis.optional() }),
  z.strictObject({ kind: z.literal('answer_lost') }),
  z.strictObject({ kind: z.literal('connection_dropped') }),
  z.strictObject({ kind: z.literal('disk_full') }),
  z.strictObject({ kind: z.literal('realtime_disconnect') }),
  z.strictObject({ kind: z.literal('realtime_delay'), ms: millis }),
  z.strictObject({ kind: z.literal('realtime_duplicate') }),
])

/** Body of POST /faults, and what a fixture's `faults:` holds. */
export const faultOrderSchema = z.strictObject({
  scope: z
    .strictObject({
      service: z.enum(['control', 'auth', 'data', 'storage', 'realtime']).optional(),
      operation: z.string().optional(),
      project: z.string().optional(),
      identity: z
        .strictObject({ role: z.string().optional(), subject: z.string().optional() })
        .optional(),
    })
    .default({}),
  effect,
  count: z.int().min(1).max(1_000_000).optional(),
  probability: z.number().gt(0).max(1).optional(),
})

/** An order as it was decoded. */
export type DecodedOrder = z.output<typeof faultOrderSchema>

/** The same, without members that are present and undefined. */
export function orderOf({ scope, effect, count, probability }: DecodedOrder): FaultOrder {
  const { service, operation, project, identity } = scope
  const { role, subject } = identity ?? {}
  return {
    scope: {
      ...(service === undefined ? {} : { service }),
      ...(operation === undefined ? {} : { operation }),
      ...(project === undefined ? {} : { project }),
      ...(identity === undefined
        ? {}
        : {
            identity: {
              ...(role === undefined ? {} : { role }),
              ...(subject === undefined ? {} : { subject }),
            },
          }),
    },
    effect: effectOf(effect),
    ...(count === undefined ? {} : { count }),
    ...(probability === undefined ? {} : { probability }),
  }
}

function effectOf(effect: DecodedOrder['effect']): FaultEffect {
  if (effect.kind !== 'latency') return effect
  const { kind, ms, jitter_ms: jitter } = effect
  return jitter === undefined ? { kind, ms } : { kind, ms, jitter_ms: jitter }
}

/** Every operation that an order may meet. */
export function operationsMeant({ scope, effect }: FaultOrder): readonly FaultOperation[] {
  return OPERATIONS.filter(
    (row) =>
      isInScope(scope, row) &&
      row.effects.includes(effect.kind) &&
      (effect.kind !== 'error' || row.codes.includes(effect.code)),
  )
}

export function isInScope(
  { service, operation }: FaultScope,
  row: Pick<FaultOperation, 'service' | 'operation'>,
): boolean {
  return (
    (service === undefined || service === row.service) &&
    (operation === undefined || operation === row.operation)
  )
}

/** @throws {InspectorError} `invalid_request` for an order that nothing could ever meet */
export function requireReachable(order: FaultOrder): void {
  const problem = problemOf(order)
  if (problem === undefined) return
  throw new InspectorError('invalid_request', problem.message, {
    hint: hintOf(problem),
    fields: { known: problem.known as readonly JsonValue[] },
  })
}

interface Problem {
  readonly message: string
  readonly known: readonly string[]
}

/** Names that a sentence can hold. */
const FEW = 30

function hintOf({ known }: Problem): string {
  return known.length <= FEW
    ? `There is: ${known.join(', ')}.`
    : '“tenantry fault catalogue” and GET /_emulator/v1/faults/catalogue list what there is.'
}

function problemOf(order: FaultOrder): Problem | undefined {
  const { scope, effect } = order
  const inScope = OPERATIONS.filter((row) => isInScope(scope, row))
  if (inScope.length === 0) return unknownScope(scope)
  if (operationsMeant(order).length > 0) return undefined
  const where = scope.operation ?? scope.service ?? 'the platform'
  if (effect.kind !== 'error' || !inScope.some(({ effects }) => effects.includes('error')))
    return {
      message: `The effect ${effect.kind} cannot happen to ${where}.`,
      known: distinct(inScope.flatMap(({ effects }) => effects)),
    }
  const hasCode = Object.values(ERROR_SOURCES).some(({ codes }) =>
    Object.hasOwn(codes, effect.code),
  )
  return {
    message: hasCode
      ? `The code ${effect.code} is none that ${where} documents.`
      : `There is no error ${effect.code} in the platform’s catalogue.`,
    known: distinct(inScope.flatMap(({ codes }) => codes)),
  }
}

function unknownScope({ service, operation }: FaultScope): Problem {
  const names = OPERATIONS.filter((row) => service === undefined || row.service === service)
  return {
    message: OPERATIONS.some((row) => row.operation === operation)
      ? `The operation ${operation} is none of ${service}.`
      : `There is no operation ${operation}.`,
    known: distinct(names.map((row) => row.operation)),
  }
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
