// Checks whether a requested fault can apply to an operation (contract/faults.ts).

import type { FaultOrder, FaultScope } from '../../contract/faults.ts'
import type { JsonValue } from '../../core/json.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { ERROR_SOURCES } from './errors/error-sources.ts'
import type { FaultOperation } from './operations/fault-operation.ts'
import { OPERATIONS } from './operations/find-operation.ts'

/** Returns every operation that the fault can apply to. */
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

/** @throws {InspectorError} `invalid_request` when the fault can apply to no operation */
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

/** Maximum number of names in one hint. */
const FEW = 30

function hintOf({ known }: Problem): string {
  return known.length <= FEW
    ? `Known: ${known.join(', ')}.`
    : '“tenantry fault catalogue” and GET /_emulator/v1/faults/catalogue list all of them.'
}

function problemOf(order: FaultOrder): Problem | undefined {
  const { scope, effect } = order
  const inScope = OPERATIONS.filter((row) => isInScope(scope, row))
  if (inScope.length === 0) return unknownScope(scope)
  if (operationsMeant(order).length > 0) return undefined
  const where = scope.operation ?? scope.service ?? 'the platform'
  if (effect.kind !== 'error' || !inScope.some(({ effects }) => effects.includes('error')))
    return {
      message: `The effect ${effect.kind} does not apply to ${where}.`,
      known: distinct(inScope.flatMap(({ effects }) => effects)),
    }
  const hasCode = Object.values(ERROR_SOURCES).some(({ codes }) =>
    Object.hasOwn(codes, effect.code),
  )
  return {
    message: hasCode
      ? `The code ${effect.code} is not documented for ${where}.`
      : `The platform’s catalogue has no error ${effect.code}.`,
    known: distinct(inScope.flatMap(({ codes }) => codes)),
  }
}

function unknownScope({ service, operation }: FaultScope): Problem {
  const names = OPERATIONS.filter((row) => service === undefined || row.service === service)
  return {
    message: OPERATIONS.some((row) => row.operation === operation)
      ? `The operation ${operation} does not belong to ${service}.`
      : `There is no operation ${operation}.`,
    known: distinct(names.map((row) => row.operation)),
  }
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
