// faults: lists, arms and disarms injected faults.
import { z } from 'zod'
import { FAULT_KINDS, FAULT_SERVICES } from '../../../contract/choices.ts'
import type { ArmedFault, FaultCatalogue, FaultEffect } from '../../../contract/faults.ts'
import { Cursor, fromCursor, Identity, Limit, type Page, Tenant } from '../inputs.ts'
import {
  defineTool,
  type Finding,
  needed,
  requireWrites,
  type Tool,
  type ToolDeps,
} from '../tool.ts'

const Input = z.strictObject({
  action: z.enum(['list', 'catalogue', 'arm', 'disarm']).default('list'),
  search: z.string().optional().describe('catalogue: text in the operation or its route'),
  service: z.enum(FAULT_SERVICES).optional(),
  operation: z.string().optional().describe('arm: an operation of the catalogue'),
  tenant: Tenant.optional(),
  identity: Identity.optional(),
  effect: z.enum(FAULT_KINDS).optional().describe('arm'),
  code: z.string().optional().describe('arm with effect error: a code of the catalogue'),
  ms: z
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .optional()
    .describe('arm with latency or realtime_delay'),
  count: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('arm: how often it fires (default: unlimited)'),
  id: z.string().optional().describe('disarm: one fault (default: all)'),
  cursor: Cursor,
  limit: Limit,
})
type FaultInput = z.output<typeof Input>

export const faults: Tool = defineTool({
  name: 'faults',
  title: 'Inject faults',
  description:
    'list: armed faults. catalogue: operations that a fault can target, with their error codes. arm: makes matching requests fail, wait or lose their answer. disarm: ends one fault or all. arm and disarm need a server that allows writes.',
  input: Input,
  changes: 'if_allowed',
  run: async (deps, input) => {
    switch (input.action) {
      case 'list':
        return list(deps, input)
      case 'catalogue':
        return fromCursor(
          catalogueLines(await deps.calls.call('GET /faults/catalogue'), input),
          input,
        )
      case 'arm':
        requireWrites(deps, 'arm faults')
        return arm(deps, input)
      case 'disarm':
        requireWrites(deps, 'disarm faults')
        return disarm(deps, input.id)
    }
  },
})

async function list({ calls }: ToolDeps, page: Page): Promise<Finding> {
  const { faults: armed } = await calls.call('GET /faults')
  return armed.length === 0
    ? { entries: ['No faults are armed. Requests behave normally.'] }
    : fromCursor(armed.map(faultLine), page)
}

async function arm({ calls }: ToolDeps, input: FaultInput): Promise<Finding> {
  const { count, identity, operation, service, tenant } = input
  const armed = await calls.call('POST /faults', {
    body: {
      scope: {
        ...(service === undefined ? {} : { service }),
        ...(operation === undefined ? {} : { operation }),
        ...(tenant === undefined ? {} : { project: tenant }),
        ...(identity === undefined ? {} : { identity: scopeOf(identity) }),
      },
      effect: effectOf(input),
      ...(count === undefined ? {} : { count }),
    },
  })
  return { entries: [`Armed ${faultLine(armed)}`] }
}

function scopeOf(identity: string): { readonly role?: string; readonly subject?: string } {
  return identity === 'anon' || identity === 'service_role'
    ? { role: identity }
    : { subject: identity }
}

function effectOf({ code, effect, ms }: FaultInput): FaultEffect {
  const kind = needed(effect, 'effect', 'arm')
  switch (kind) {
    case 'error':
      return { kind, code: needed(code, 'code', 'arm') }
    case 'latency':
    case 'realtime_delay':
      return { kind, ms: needed(ms, 'ms', 'arm') }
    default:
      return { kind }
  }
}

async function disarm({ calls }: ToolDeps, id: string | undefined): Promise<Finding> {
  if (id === undefined) {
    const { disarmed } = await calls.call('DELETE /faults')
    return { entries: [`Disarmed ${disarmed} faults.`] }
  }
  const fault = await calls.call('DELETE /faults/:id', { params: { id } })
  return { entries: [`Disarmed ${faultLine(fault)}`] }
}

function faultLine({ count, effect, fired, id, request_ids, scope }: ArmedFault): string {
  const times = count === undefined ? '' : ` of ${count}`
  const requests =
    request_ids.length === 0 ? '' : `, requests ${request_ids.slice(0, 5).join(', ')}`
  return `${id}: ${JSON.stringify(effect)} on ${JSON.stringify(scope)}, fired ${fired}${times} times${requests}`
}

function catalogueLines({ operations }: FaultCatalogue, input: FaultInput): readonly string[] {
  const { search = '', service } = input
  return operations
    .filter((one) => service === undefined || one.service === service)
    .filter(({ operation, route }) => `${operation} ${route ?? ''}`.includes(search))
    .map(
      ({ codes, effects, operation, route }) =>
        `${operation} (${route ?? 'open socket'}): ${effects.join(', ')}; codes ${codes.join(', ') || 'none'}`,
    )
}
