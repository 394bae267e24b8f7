// Plans a parsed request: decides which statement answers it, or refuses it with an error. Pure.
import { DataError } from '../errors.ts'
import type { Action, ApiRequest } from '../request/api-request.ts'
import { keyOf, type SchemaCache, type Table } from '../schema-cache/schema-cache.ts'
import type { DataSettings, QualifiedName } from '../settings.ts'
import { argumentNamesOf, planCall } from './call-plan.ts'
import { findRoutine } from './find-routine.ts'
import { tableHint } from './hints.ts'
import { planMutate } from './mutate-plan.ts'
import { type Negotiated, negotiate } from './negotiate.ts'
import type { ActionPlan, ReadPlan } from './plan.ts'
import { planRead } from './read-plan.ts'

/** @throws {DataError} PGRST1xx and PGRST2xx */
export function planRequest(
  cache: SchemaCache,
  request: ApiRequest,
  settings: DataSettings,
): ActionPlan {
  const { action } = request
  switch (action.kind) {
    case 'read':
      return planReading(cache, request, settings, action)
    case 'mutate':
      return planMutating(cache, request, settings, action)
    case 'call':
      return planCalling(cache, request, settings, action)
    case 'describeSchema':
      return { kind: 'describeSchema', isHead: action.isHead }
    case 'relationInfo':
      return { kind: 'relationInfo', table: requireTable(cache, request, action.relation) }
    case 'routineInfo': {
      // OPTIONS succeeds only if the function can be called.
      const call = { kind: 'call', routine: action.routine, method: 'HEAD' } as const
      const { routine } = planCalling(cache, request, settings, call)
      return { kind: 'routineInfo', routine }
    }
    case 'schemaInfo':
      return { kind: 'schemaInfo' }
    default:
      return action satisfies never
  }
}

type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

function planReading(
  cache: SchemaCache,
  request: ApiRequest,
  settings: DataSettings,
  action: ActionOf<'read'>,
): ActionPlan {
  const table = requireTable(cache, request, action.relation)
  const read = planRead(cache, request, table, settings)
  const negotiated = negotiateFor(cache, request, settings, table, read)
  refuseInvalidPreferences(request)
  return {
    kind: 'read',
    relation: table,
    isHead: action.isHead,
    read,
    mode: 'readOnly',
    media: negotiated.media,
    handler: action.isHead ? { kind: 'none' } : negotiated.handler,
  }
}

function planMutating(
  cache: SchemaCache,
  request: ApiRequest,
  settings: DataSettings,
  action: ActionOf<'mutate'>,
): ActionPlan {
  const table = requireTable(cache, request, action.relation)
  const read = planRead(cache, request, table, settings)
  const mutate = planMutate(cache, request, table, action.mutation, read)
  refuseInvalidPreferences(request)
  const negotiated = negotiateFor(cache, request, settings, table, read)
  const isShown = request.preferences.representation === 'representation'
  return {
    kind: 'mutate',
    relation: table,
    mutation: action.mutation,
    read,
    mutate,
    mode: 'readWrite',
    media: negotiated.media,
    handler: isShown ? negotiated.handler : { kind: 'none' },
  }
}

function planCalling(
  cache: SchemaCache,
  request: ApiRequest,
  settings: DataSettings,
  action: ActionOf<'call'>,
): Extract<ActionPlan, { kind: 'call' }> {
  const routine = findRoutine(cache, request, action.routine, argumentNamesOf(request))
  // If a function returns rows of a relation, its result has that relation's columns and relationships.
  const { returns, schema } = routine
  const name = returns.kind === 'composite' ? returns.type.name : routine.name
  const relation = { schema, name }
  const read = planRead(cache, request, relation, settings)
  const negotiated = negotiateFor(cache, request, settings, relation, read)
  refuseInvalidPreferences(request)
  const { maxAffected, handling } = request.preferences
  if (maxAffected !== undefined && handling === 'strict' && !returns.isSet)
    throw new DataError(
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    )
  const isHead = action.method === 'HEAD'
  const isWriting = action.method === 'POST' && routine.volatility === 'volatile'
  return {
    kind: 'call',
    routine,
    read,
    call: planCall(request, routine, read),
    isHead,
    mode: isWriting ? 'readWrite' : 'readOnly',
    media: negotiated.media,
    handler: isHead ? { kind: 'none' } : negotiated.handler,
  }
}

function requireTable(cache: SchemaCache, request: ApiRequest, name: string): Table {
  const { schema } = request
  const table = cache.tables.get(keyOf({ schema, name }))
  if (table !== undefined) return table
  throw new DataError(
    'PGRST205',
    `Could not find the table '${schema}.${name}' in the schema cache`,
    tableHint(cache, { schema, name }),
  )
}

function negotiateFor(
  cache: SchemaCache,
  request: ApiRequest,
  settings: DataSettings,
  relation: QualifiedName,
  read: ReadPlan,
): Negotiated {
  const [only, ...others] = read.select
  const isWholeRow = only?.field.name === '*' && others.length === 0 && read.children.length === 0
  return negotiate(request.accepts, { cache, settings, relation, isWholeRow })
}

function refuseInvalidPreferences({ preferences }: ApiRequest): void {
  if (preferences.handling !== 'strict' || preferences.invalid.length === 0) return
  throw new DataError('PGRST122', 'Invalid preferences given with handling=strict', {
    details: `Invalid preferences: ${preferences.invalid.join(', ')}`,
  })
}
