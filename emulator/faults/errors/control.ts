// Creates the refusals of the management API (docs/wire/errors.md#management). For refusals with side effects, the fault
// simulates the situation of a project switch for one request, and the service itself refuses.

import { CONTROL_ADVICE } from '../../advice/control.ts'
import {
  ManagementError,
  type ManagementErrorCode,
  renderInternalError,
  renderManagementError,
} from '../../control/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Situation } from '../../core/situations.ts'
import {
  type ErrorSource,
  type FaultedRequest,
  factsOf,
  InjectedError,
  keyIn,
  thrown,
} from './error-source.ts'

/** The situation to simulate, by operation and code. */
const SITUATIONS: Readonly<Record<string, Situation>> = {
  'tenant.provision template_indisponivel': 'template_deleted',
  'tenant.provision internal': 'provision_fails',
  'template.publish fonte_indisponivel': 'source_out_of_sync',
  'template.publish_as_owner fonte_indisponivel': 'source_out_of_sync',
  'template.publish clone_incompleto': 'clone_incomplete',
  'template.publish_as_owner clone_incompleto': 'clone_incomplete',
  'tenant.purge pendente': 'purge_pending',
}

export const CONTROL_ERRORS: ErrorSource = {
  codes: {
    ...factsOf(Object.keys(CONTROL_ADVICE) as ManagementErrorCode[], (code) => ({
      status: statusOf(code),
      sentence: CONTROL_ADVICE[code].cause,
    })),
    pendente: {
      status: 202,
      sentence:
        'The platform has begun to erase the tenant and will finish within a few minutes. This is not an error.',
    },
  },
  make: (code, request) => {
    const situation = SITUATIONS[`${request.operation} ${code}`]
    if (situation !== undefined) return { kind: 'situation', situation }
    if (code === 'internal') return thrown(new InjectedError(request.faultId))
    return thrown(refusal(keyIn(CONTROL_ADVICE, code), request))
  },
}

function refusal(code: ManagementErrorCode, { method }: FaultedRequest): ManagementError {
  const { cause, todo } = CONTROL_ADVICE[code]
  return new ManagementError(code, cause, {
    hint: todo,
    fields: fieldsOf(code),
    headers: headersOf(code, method),
  })
}

function fieldsOf(code: ManagementErrorCode): JsonObject {
  return code === 'invalid_request' ? { details: { body: 'was refused by an injected fault' } } : {}
}

function headersOf(code: ManagementErrorCode, method: string): Record<string, string> {
  if (code === 'unauthorized') return { 'www-authenticate': 'Bearer' }
  return code === 'method_not_allowed' ? { allow: method } : {}
}

function statusOf(code: ManagementErrorCode): number {
  const rendered =
    code === 'internal'
      ? renderInternalError('')
      : renderManagementError(new ManagementError(code, ''))
  return rendered?.status ?? 500
}
