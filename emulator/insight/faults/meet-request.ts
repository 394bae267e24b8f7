// Applies faults to a request: adds up all delays in scope, and lets the oldest fault in scope that sets an outcome decide.
import type { FaultEffect } from '../../contract/faults.ts'
import { defined } from '../../core/defined.ts'
import type { FacedRequest, FaultOutcome, MetFault, RequestFaults } from '../../core/fault.ts'
import type { IdSource } from '../../core/id-source.ts'
import { credentialOf, readClaims } from '../../platform/credentials/unverified-claims.ts'
import { type Armed, drawn, type Firing, identityOf, type Target } from './armed-fault.ts'
import { EFFECTS, outcomeOf } from './effects.ts'
import { ERROR_SOURCES } from './errors/error-sources.ts'
import type { FaultOperation } from './operations/fault-operation.ts'
import { findOperation, type RouteParams } from './operations/find-operation.ts'
import type { RequestProjects } from './request-projects.ts'

/** Returns the function that applies the armed faults to a request. */
export function meetRequests(
  firing: Firing,
  requestProjects: RequestProjects,
  ids: IdSource,
): RequestFaults['meet'] {
  return (request) => {
    const found = findOperation(request)
    if (found === undefined) return undefined
    const { operation, params } = found
    const target = targetOf(request, operation, params, requestProjects)
    return meet(firing, ids, request, target)
  }
}

function meet(
  firing: Firing,
  ids: IdSource,
  request: FacedRequest,
  target: Target,
): MetFault | undefined {
  let delayMillis = 0
  let late: Armed | undefined
  let deciding: Armed | undefined
  for (const fault of firing.armed()) {
    const { effect } = fault.order
    const { onRequest } = EFFECTS[effect.kind]
    if (onRequest === 'nothing' || (onRequest === 'decides' && deciding !== undefined)) continue
    if (!firing.fires(fault, target, request.requestId)) continue
    if (onRequest === 'delays') {
      late ??= fault
      delayMillis += delayOf(effect, ids)
    } else deciding = fault
  }
  const fault = deciding ?? late
  if (fault === undefined) return undefined
  const outcome = deciding && decidedOutcome(deciding, request, target.operation)
  return defined({ faultId: fault.id, claimed: claimedOf(target), delayMillis, outcome })
}

function delayOf(effect: FaultEffect, ids: IdSource): number {
  if (!('ms' in effect)) return 0
  const jitter = ('jitter_ms' in effect ? effect.jitter_ms : undefined) ?? 0
  return effect.ms + Math.round(jitter * drawn(ids))
}

function claimedOf(target: Target): MetFault['claimed'] {
  const [schemaName] = target.projects()
  const { role, subject } = target.identity()
  return defined({ schemaName, role, subject })
}

function decidedOutcome(
  { id, order }: Armed,
  { method, target, headers }: FacedRequest,
  { operation, dialect }: FaultOperation,
): FaultOutcome | undefined {
  const request = { faultId: id, operation, method, target, headers }
  return outcomeOf(order.effect, ERROR_SOURCES[dialect], request)
}

function targetOf(
  request: FacedRequest,
  operation: FaultOperation,
  params: RouteParams,
  requestProjects: RequestProjects,
): Target {
  let claims: ReturnType<typeof readClaims> | null = null
  const claimsOf = () => {
    if (claims === null) claims = readClaims(credentialOf(request.headers, request.target))
    return claims
  }
  return {
    operation,
    identity: () => identityOf(claimsOf() ?? {}),
    projects: () => requestProjects(request, params, claimsOf()),
  }
}
