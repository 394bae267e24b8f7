// Parses the query string into filters, bounds, orders, logic and lists (PostgREST, "API"). Pure.
import { DataError } from '../errors.ts'
import type {
  At,
  Filter,
  LogicTree,
  OrderTerm,
  QueryParameters,
  SelectItem,
} from './api-request.ts'
import { filterOrArgument, filterValue } from './filter.ts'
import { logicPath, logicTree } from './logic.ts'
import { nameList, type TreePath, treePath } from './names.ts'
import { orderList } from './order.ts'
import { type Range, rangeOf } from './range.ts'
import { type Parser, runParser } from './scanner.ts'
import { selectList } from './select.ts'

export interface ParsedQuery {
  readonly query: QueryParameters
  /** Bounds of the root, from `limit` and `offset`. */
  readonly rootRange: Range
}

type Parameter = readonly [name: string, value: string]

const WHOLE_ROW: readonly SelectItem[] = [
  {
    kind: 'field',
    field: { name: '*', path: [] },
    aggregate: undefined,
    aggregateCast: undefined,
    cast: undefined,
    alias: undefined,
  },
]
const RESERVED = new Set(['select', 'columns', 'on_conflict'])

/**
 * Parses the query string.
 * @param takesArguments whether values without an operator are a function's arguments (GET and HEAD of `/rpc/…`)
 * @throws {DataError} PGRST100 with the position of the syntax error.
 */
export function parseQueryString(text: string, takesArguments: boolean): ParsedQuery {
  const all = decodeParameters(text)
  const given = all.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const byKind = sortParameters(given)
  const order = byKind.order.map(parseOrder)
  const logic = byKind.logic.map(parseLogic)
  const columns = optionally(firstOf(all, 'columns'), (value) =>
    parse(nameList, `failed to parse columns parameter (${value})`, value),
  )
  const select = parseSelect(firstOf(all, 'select'))
  const filters = byKind.filters.map((parameter) => parseFilter(parameter, takesArguments))
  const onConflict = optionally(firstOf(all, 'on_conflict'), (value) =>
    parse(nameList, `failed to parse on_conflict parameter (${value})`, value),
  )
  const { root, below } = parseRanges(byKind.limits, byKind.offsets)
  return {
    rootRange: root,
    query: {
      select,
      filters: filters.flatMap(({ filter }) => (filter === undefined ? [] : [filter])),
      filterNames: byKind.filters.map(([name]) => name),
      logic,
      order,
      ranges: below,
      columns: columns && [...new Set(columns)].sort(),
      onConflict,
      arguments: filters.flatMap(({ argument }) => (argument === undefined ? [] : [argument])),
      canonical: canonicalOf(all),
    },
  }
}

interface SortedParameters {
  readonly filters: Parameter[]
  readonly order: Parameter[]
  readonly logic: Parameter[]
  readonly limits: Parameter[]
  readonly offsets: Parameter[]
}

function sortParameters(given: readonly Parameter[]): SortedParameters {
  const sorted: SortedParameters = { filters: [], order: [], logic: [], limits: [], offsets: [] }
  for (const parameter of given) {
    const [name] = parameter
    switch (name.slice(name.lastIndexOf('.') + 1)) {
      case 'order':
        sorted.order.push(parameter)
        break
      case 'limit':
        sorted.limits.push(parameter)
        break
      case 'offset':
        sorted.offsets.push(parameter)
        break
      case 'and':
      case 'or':
        sorted.logic.push(parameter)
        break
      default:
        if (!RESERVED.has(name)) sorted.filters.push(parameter)
    }
  }
  return sorted
}

function parseSelect(value: string | undefined): readonly SelectItem[] {
  if (value === undefined || value === '*') return WHOLE_ROW
  return parseOnce(parsedSelects, value, () =>
    parse(selectList, `failed to parse select parameter (${value})`, value),
  )
}

function parseOrder([name, value]: Parameter): At<readonly OrderTerm[]> {
  const { path } = parseTreePath(name)
  const terms = parseOnce(parsedOrders, value, () =>
    parse(orderList, `failed to parse order (${value})`, value),
  )
  return { path, value: terms }
}

function parseLogic([name, value]: Parameter): At<LogicTree> {
  const { path, operator } = parse(logicPath, `failed to parse logic path (${name})`, name)
  const tree = parse(logicTree, `failed to parse logic tree (${value})`, operator + value)
  return { path, value: tree }
}

function parseFilter(
  [name, value]: Parameter,
  takesArguments: boolean,
): { filter?: At<Filter>; argument?: Parameter } {
  const { path, field } = parseTreePath(name)
  const source = `failed to parse filter (${value})`
  const expression = takesArguments
    ? parse(filterOrArgument, source, value)
    : parse(filterValue, source, value)
  if (expression === undefined) return { argument: [field.name, value] }
  return { filter: { path, value: { field, ...expression } } }
}

function parseTreePath(name: string): TreePath {
  return parseOnce(parsedPaths, name, () =>
    parse(treePath, `failed to parse tree path (${name})`, name),
  )
}

// Maximum number of parsed texts in the cache. Clients repeat the same selects, orders and names.
const REMEMBERED_TEXTS = 500
const LONGEST_REMEMBERED = 1_000
const parsedSelects = new Map<string, readonly SelectItem[]>()
const parsedOrders = new Map<string, readonly OrderTerm[]>()
const parsedPaths = new Map<string, TreePath>()

function parseOnce<T>(parsed: Map<string, T>, text: string, read: () => T): T {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const value = read()
  if (text.length > LONGEST_REMEMBERED) return value
  if (parsed.size >= REMEMBERED_TEXTS) parsed.clear()
  parsed.set(text, value)
  return value
}

// Combines the limit and offset of each level into one range. If a parameter is repeated, the last one applies.
function parseRanges(
  limits: readonly Parameter[],
  offsets: readonly Parameter[],
): { root: Range; below: readonly At<Range>[] } {
  const levels = new Map<string, { limit?: string; offset?: string }>()
  const levelOf = (name: string): { limit?: string; offset?: string } => {
    const prefix = name.slice(0, name.lastIndexOf('.') + 1)
    const known = levels.get(prefix) ?? {}
    levels.set(prefix, known)
    return known
  }
  for (const [name, value] of limits) levelOf(name).limit = value
  for (const [name, value] of offsets) levelOf(name).offset = value
  const root = levels.get('')
  levels.delete('')
  return {
    root: rangeOf(root?.limit, root?.offset),
    below: [...levels].map(([prefix, { limit, offset }]) => ({
      path: parseTreePath(`${prefix}limit`).path,
      value: rangeOf(limit, offset),
    })),
  }
}

function parse<T>(parser: Parser<T>, sourceName: string, text: string): T {
  const outcome = runParser(parser, sourceName, text)
  if (outcome.ok) return outcome.value
  throw new DataError('PGRST100', outcome.failure.message, { details: outcome.failure.details })
}

function optionally<T>(value: string | undefined, read: (value: string) => T): T | undefined {
  return value === undefined ? undefined : read(value)
}

function firstOf(
  parameters: readonly (readonly [string, string | undefined])[],
  wanted: string,
): string | undefined {
  return parameters.find(([name]) => name === wanted)?.[1]
}

/**
 * Splits a query string or a form into names and values. A leading `?` is ignored. A part without `=` has no value. An empty part
 * is a parameter without a name, except at the end.
 */
export function decodeParameters(text: string): (readonly [string, string | undefined])[] {
  const parts = (text.startsWith('?') ? text.slice(1) : text).split(/[&;]/)
  if (parts.at(-1) === '') parts.pop()
  return parts.map((part) => {
    const equals = part.indexOf('=')
    if (equals < 0) return [decodeText(part), undefined] as const
    return [decodeText(part.slice(0, equals)), decodeText(part.slice(equals + 1))] as const
  })
}

/**
 * Decodes percent-encoding. Decodes `+` to a space, keeps a `%` without two hexadecimal digits, and replaces invalid UTF-8.
 */
export function decodeText(text: string): string {
  if (!/[%+]/.test(text)) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    const bytes = Buffer.from(
      spaced.replace(/%([0-9A-Fa-f]{2})|[^\x20-\x7e]+/g, (part, hex: string | undefined) =>
        hex === undefined
          ? Buffer.from(part).toString('latin1')
          : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
      'latin1',
    )
    return bytes.toString('utf8')
  }
}

// Sorts parameters by name, and joins the values of the same name with commas.
function canonicalOf(parameters: readonly (readonly [string, string | undefined])[]): string {
  const valuesOf = new Map<string, string[]>()
  for (const [name, value = ''] of parameters) {
    const values = valuesOf.get(name)
    if (values === undefined) valuesOf.set(name, [encodeText(value)])
    else values.push(encodeText(value))
  }
  return [...valuesOf]
    .sort(([first], [second]) => byCodePoint(first, second))
    .map(([name, values]) => `${encodeText(name)}=${values.join(',')}`)
    .join('&')
}

function byCodePoint(first: string, second: string): number {
  return Buffer.compare(Buffer.from(first), Buffer.from(second))
}

/**
 * Percent-encodes text, except unreserved characters of RFC 3986. Each byte of a non-ASCII character is encoded as if it were a
 * character, as in PostgREST.
 */
export function encodeText(text: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(text)
  const bytes = isAscii ? text : Buffer.from(text).toString('latin1')
  return encodeURIComponent(bytes).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
