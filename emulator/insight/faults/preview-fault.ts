// Finds the operations and the recorded requests that a fault would apply to, before it is armed (contract/faults.ts). Pure.
import type { FaultPreview } from '../../contract/faults.ts'
import type { FacedRequest } from '../../core/fault.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Armed, identityOf } from './armed-fault.ts'
import { operationsMeant } from './fault-order.ts'
import { findOperation } from './operations/find-operation.ts'
import type { RequestProjects } from './request-projects.ts'

/** A finished request, with the facts from the journal and the request's recording. */
export interface PastRequest extends FacedRequest {
  readonly schemaName: string | undefined
  readonly role: string | undefined
  readonly subject: string | undefined
  /** Claims of the credential. `undefined` when the recording was replaced by newer ones. */
  readonly claims: JsonObject | undefined
}

/** @param past newest first */
export function previewFault(
  fault: Armed,
  past: readonly PastRequest[],
  requestProjects: RequestProjects,
): FaultPreview {
  return {
    operations: [...new Set(operationsMeant(fault.order).map(({ operation }) => operation))],
    requests_read: past.length,
    request_ids: past
      .filter((request) => wouldMeet(fault, request, requestProjects))
      .map(({ requestId }) => requestId),
  }
}

function wouldMeet(fault: Armed, request: PastRequest, requestProjects: RequestProjects): boolean {
  const found = findOperation(request)
  if (found === undefined) return false
  const { claims, role, schemaName, subject } = request
  return fault.fits({
    operation: found.operation,
    identity: () =>
      claims === undefined ? { role, subject, email: undefined } : identityOf(claims),
    projects: () => [
      ...requestProjects(request, found.params, claims),
      ...(schemaName === undefined ? [] : [schemaName]),
    ],
  })
}
