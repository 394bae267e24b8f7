// Plans a parsed request: decides which statement answers it, or refuses it with an error. Pure.
import { DataError } from '../errors.ts'
import type { Action, ApiRequest } from '../request/api-request.ts'
import { keyOf, type Routine, type SchemaCache, type Table } from '../schema-cache/schema-cache.ts'
import type { DataSettings, QualifiedName } from '../settings.ts'
import { findRoutine } from './find-routine.ts'
import { tableHint } from './hints.ts'
import { neededColumns, planMutate } from './mutate-plan.ts'
import { type Negotiated, negotiate } from './negotiate.ts'
import type {
  ActionPlan,
  ArgumentValue,
  CallArguments,
  CallPlan,
  PlannedLogic,
  ReadPlan,
} from './plan.ts'
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

// Plans function calls: which parameters the request gives, and where their values come from (PostgREST, "Functions as RPC").
// Pure.

/** Names of the arguments that the request gives. */
function argumentNamesOf(request: ApiRequest): readonly string[] {
  if (request.method === 'POST') return request.columns
  return [...new Set(request.query.arguments.map(([name]) => name))].sort()
}

function planCall(request: ApiRequest, routine: Routine, read: ReadPlan): CallPlan {
  const [single, ...others] = routine.parameters
  const given = new Set(argumentNamesOf(request))
  const isUnnamed = single !== undefined && others.length === 0 && single.name === ''
  return {
    routine,
    parameters: isUnnamed
      ? { kind: 'unnamed', parameter: single }
      : {
          kind: 'named',
          list: routine.parameters.filter((parameter) => given.has(parameter.name)),
        },
    arguments: argumentsOf(request, routine),
    returnsScalar: routine.returns.kind === 'scalar',
    filterColumns: filterColumns(read),
    returning: neededColumns(read, []),
  }
}

function argumentsOf(request: ApiRequest, routine: Routine): CallArguments {
  if (request.method !== 'POST')
    return { kind: 'direct', values: direct(routine, request.query.arguments) }
  const { payload } = request
  if (payload?.kind === 'form') return { kind: 'direct', values: direct(routine, payload.pairs) }
  return { kind: 'body', payload }
}

// Callers may repeat a variadic parameter. If any other parameter is repeated, the last value applies.
function direct(
  routine: Routine,
  pairs: readonly (readonly [string, string])[],
): ReadonlyMap<string, ArgumentValue> {
  const variadic = routine.parameters.find((parameter) => parameter.isVariadic)?.name
  const values = new Map<string, ArgumentValue>()
  for (const [name, value] of pairs) {
    const known = values.get(name)
    if (name !== variadic) values.set(name, { kind: 'one', value })
    else
      values.set(name, {
        kind: 'variadic',
        values: known?.kind === 'variadic' ? [...known.values, value] : [value],
      })
  }
  return values
}

function filterColumns(read: ReadPlan): readonly string[] {
  const own = read.where.flatMap(columnsOf)
  return [...new Set([...own, ...read.children.flatMap(filterColumns)])]
}

function columnsOf(tree: PlannedLogic): readonly string[] {
  switch (tree.kind) {
    case 'filter':
      return [tree.filter.field.name]
    case 'embedIsNull':
      return []
    case 'group':
      return tree.members.flatMap(columnsOf)
    default:
      return tree satisfies never
  }
}
