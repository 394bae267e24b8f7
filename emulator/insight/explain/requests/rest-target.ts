// Converts a REST request to the relation, command, filters and new row of an explanation. Leaves out filters that an
// explanation cannot express, and sets `isWider` if there are any. Pure.
import type { ExplainRequest } from '../../../contract/explain.ts'
import type { RowCommand, RowFilter } from '../../../contract/values.ts'
import { defined } from '../../../core/defined.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { isJsonObject } from '../../../core/json.ts'
import type { Filter, SimpleOperator } from '../../../services/data/request/api-request.ts'
import { parseQueryString } from '../../../services/data/request/query-string.ts'
import { jsonBodyOf, type RecordedRequest } from './recorded-request.ts'

export interface RestTarget {
  readonly relation: string
  readonly command: RowCommand
  readonly filters: readonly RowFilter[]
  /** Whether `filters` can select more rows than the request did, because some filters were left out. */
  readonly isWider: boolean
  readonly newRow: ExplainRequest['new_row'] | undefined
  /** Whether the response contains the written rows, so that SELECT policies apply to them. */
  readonly returnsRows: boolean
}

const COMMANDS: Readonly<Record<string, RowCommand>> = {
  GET: 'select',
  HEAD: 'select',
  POST: 'insert',
  PUT: 'insert',
  PATCH: 'update',
  DELETE: 'delete',
}

/** Returns `undefined` for requests without rows, such as functions and the root. */
export function restTargetOf(request: RecordedRequest): RestTarget | undefined {
  const { entry, path, search, recording } = request
  const [name, ...rest] = path
    .replace(/^\/rest\/v1(?=\/)/, '')
    .slice(1)
    .split('/')
  const command = COMMANDS[entry.method]
  if (name === undefined || name === '' || rest.length > 0 || command === undefined)
    return undefined
  const { filters, isWider } = filtersOf(search)
  const body = jsonBodyOf(recording)
  const row = Array.isArray(body) ? body[0] : body
  const prefer = recording?.requestHeaders.get('prefer') ?? ''
  return {
    relation: decodeURIComponent(name),
    command,
    filters: command === 'insert' ? [] : filters,
    isWider,
    newRow: isJsonObject(row) ? defined(row) : undefined,
    returnsRows: /return=representation/.test(prefer),
  }
}

function filtersOf(search: string): Pick<RestTarget, 'filters' | 'isWider'> {
  try {
    const { query } = parseQueryString(search.slice(1), false)
    const root = query.filters.filter(({ path }) => path.length === 0)
    const filters = root.flatMap(({ value }) => rowFilter(value) ?? [])
    const isWider = filters.length < query.filters.length || query.logic.length > 0
    return { filters, isWider }
  } catch (error) {
    if (error instanceof EmulatorError) return { filters: [], isWider: true }
    throw error
  }
}

/** Whether explanations support this operator. Operators for arrays, ranges and JSON are not supported. */
function isUnequal(operator: SimpleOperator): operator is 'neq' {
  switch (operator) {
    case 'neq':
      return true
    case 'cs':
    case 'cd':
    case 'ov':
    case 'sl':
    case 'sr':
    case 'nxr':
    case 'nxl':
    case 'adj':
      return false
    default:
      return operator satisfies never
  }
}

function rowFilter({ field, isNegated, operation }: Filter): RowFilter | undefined {
  if (field.path.length > 0) return undefined
  const column = field.name
  switch (operation.kind) {
    case 'is': {
      if (operation.value !== 'null' && operation.value !== 'not_null') return undefined
      const isNull = (operation.value === 'null') !== isNegated
      return { column, operator: isNull ? 'is_null' : 'is_not_null' }
    }
    case 'in': {
      const [only, ...others] = operation.values
      if (isNegated || only === undefined || others.length > 0) return undefined
      return { column, operator: 'eq', value: only }
    }
    case 'simple': {
      if (!isUnequal(operation.operator)) return undefined
      return { column, operator: isNegated ? 'eq' : 'neq', value: operation.value }
    }
    case 'quantifiable':
      return isNegated ? undefined : quantifiable(column, operation)
    // Explanations do not support these operators.
    case 'isDistinct':
    case 'textSearch':
      return undefined
    default:
      return operation satisfies never
  }
}

function quantifiable(
  column: string,
  operation: Extract<Filter['operation'], { kind: 'quantifiable' }>,
): RowFilter | undefined {
  const { operator, quantifier, value } = operation
  if (quantifier !== undefined || operator === 'match' || operator === 'imatch') return undefined
  const isPattern = operator === 'like' || operator === 'ilike'
  return { column, operator, value: isPattern ? value.replaceAll('*', '%') : value }
}
