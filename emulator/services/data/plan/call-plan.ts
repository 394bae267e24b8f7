// Plans function calls: which parameters the request gives, and where their values come from (PostgREST, "Functions as RPC").
// Pure.
import type { ApiRequest } from '../request/api-request.ts'
import type { Routine } from '../schema-cache/schema-cache.ts'
import { neededColumns } from './mutate-plan.ts'
import type { ArgumentValue, CallArguments, CallPlan, PlannedLogic, ReadPlan } from './plan.ts'

/** Names of the arguments that the request gives. */
export function argumentNamesOf(request: ApiRequest): readonly string[] {
  if (request.method === 'POST') return request.columns
  return [...new Set(request.query.arguments.map(([name]) => name))].sort()
}

export function planCall(request: ApiRequest, routine: Routine, read: ReadPlan): CallPlan {
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
