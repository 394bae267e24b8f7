// Faults as requests meet them: every delay in scope, and of what else is armed the oldest that fits.
import type { FacedRequest, FaultOutcome, MetFault, RequestFaults } from '../core/fault.ts'
import type { IdSource } from '../core/id-source.ts'
import { credentialOf, readClaims } from '../credentials/unverified-claims.ts'
import type { Armed, Target } from './armed-fault.ts'
import { identityOf } from './claimed-identity.ts'
import { ERROR_SOURCES } from './errors/error-sources.ts'
import { drawn, type Firing } from './firing.ts'
import type { FaultOperation } from './operations/fault-operation.ts'
import { findOperation, type RouteParams } from './operations/find-operation.ts'
import type { RequestProjects } from './request-projects.ts'

export function requestFaults(
  firing: Firing,
  requestProjects: RequestProjects,
  ids: IdSource,
): RequestFaults {
  return {
    get isArmed() {
      return firing.armed().length > 0
    },
    meet: (request) => {
      const found = findOperation(request)
      if (found === undefined) return undefined
      const { operation, params } = found
      const target = targetOf(request, operation, params, requestProjects)
      return meet(firing, ids, { request, target })
    },
  }
}

interface Meeting {
  readonly request: FacedRequest
  readonly target: Target
}

function meet(firing: Firing, ids: IdSource, { request, target }: Meeting): MetFault | undefined {
  let delayMillis = 0
  let late: Armed | undefined
  let deciding: Armed | undefined
  for (const fault of firing.armed()) {
    const { effect } = fault.order
    if (effect.kind === 'realtime_disconnect') continue
    const isLatency = effect.kind === 'latency'
    if (!isLatency && deciding !== undefined) continue
    if (!firing.fires(fault, target, request.requestId)) continue
    if (isLatency) {
      late ??= fault
      delayMillis += effect.ms + Math.round((effect.jitter_ms ?? 0) * drawn(ids))
    } else deciding = fault
  }
  const fault = deciding ?? late
  if (fault === undefined) return undefined
  const outcome = deciding && outcomeOf(deciding, request, target.operation)
  return {
    faultId: fault.id,
    claimed: claimedOf(target),
    delayMillis,
    ...(outcome === undefined ? {} : { outcome }),
  }
}

function claimedOf(target: Target): MetFault['claimed'] {
  const [schemaName] = target.projects()
  const { role, subject } = target.identity()
  return {
    ...(schemaName === undefined ? {} : { schemaName }),
    ...(role === undefined ? {} : { role }),
    ...(subject === undefined ? {} : { subject }),
  }
}

function outcomeOf(
  { id, order: { effect } }: Armed,
  { method, target, headers }: FacedRequest,
  { operation, dialect }: FaultOperation,
): FaultOutcome | undefined {
  switch (effect.kind) {
    case 'error': {
      const occasion = { faultId: id, operation, method, target, headers }
      return ERROR_SOURCES[dialect].make(effect.code, occasion)
    }
    case 'answer_lost':
    case 'connection_dropped':
      return { kind: effect.kind }
    case 'disk_full':
      return { kind: 'situation', situation: 'disk_full' }
    default:
      return undefined
  }
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
