// Converts filters and sort orders to texts in the address and back: `name.ilike.ana%`, `starts_at.desc`. Pure.
import type { RowFilter, RowsOrder } from '../../api/tables.ts'
import { kindOfType } from '../../parts/cell-kind.ts'

type Operator = RowFilter['operator']

/** Labels of the operators in selection lists. */
export const OPERATOR_LABELS: Readonly<Record<Operator, string>> = {
  eq: '=',
  neq: '≠',
  lt: '<',
  lte: '≤',
  gt: '>',
  gte: '≥',
  like: 'like',
  ilike: 'like, ignoring case',
  is_null: 'is null',
  is_not_null: 'is not null',
}

/** Whether the operator takes no value. */
export function isUnary(operator: Operator): boolean {
  return operator === 'is_null' || operator === 'is_not_null'
}

/** Returns the operators that fit a column of this type, with the most likely operator first. */
export function operatorsFor(type: string): readonly Operator[] {
  switch (kindOfType(type, null)) {
    case 'boolean':
    case 'json':
    case 'array':
      return ['eq', 'neq', 'is_null', 'is_not_null']
    case 'text':
      return ['eq', 'neq', 'ilike', 'like', 'lt', 'lte', 'gt', 'gte', 'is_null', 'is_not_null']
    default:
      return ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'is_null', 'is_not_null']
  }
}

export function filterText({ column, operator, value }: RowFilter): string {
  const head = `${encodeDots(column)}.${operator}`
  return value === undefined ? head : `${head}.${value}`
}

/** Returns `undefined` when the text is not a filter. */
export function parseFilterText(text: unknown): RowFilter | undefined {
  if (typeof text !== 'string') return undefined
  const [, column, name, value] = /^([^.]+)\.(\w+)(?:\.([\s\S]*))?$/.exec(text) ?? []
  const operator = isOperator(name) ? name : undefined
  if (column === undefined || operator === undefined) return undefined
  if (isUnary(operator)) return { column: decodeDots(column), operator }
  return value === undefined ? undefined : { column: decodeDots(column), operator, value }
}

/** Reads the filters in the address. Ignores texts that are not filters. */
export function parseFilterTexts(raw: unknown): readonly RowFilter[] {
  const texts = Array.isArray(raw) ? raw : raw === undefined ? [] : [raw]
  return texts.flatMap((text) => parseFilterText(text) ?? [])
}

export function orderText({ column, descending }: RowsOrder): string {
  return `${encodeDots(column)}.${descending === true ? 'desc' : 'asc'}`
}

export function parseOrderText(text: unknown): RowsOrder | undefined {
  if (typeof text !== 'string') return undefined
  const [, column, direction] = /^([^.]+)\.(asc|desc)$/.exec(text) ?? []
  if (column === undefined) return undefined
  return { column: decodeDots(column), descending: direction === 'desc' }
}

/** Returns the sort order after a click on a header. Clicks switch from ascending to descending to none. */
export function nextOrder(order: RowsOrder | undefined, column: string): RowsOrder | undefined {
  if (order?.column !== column) return { column, descending: false }
  return order.descending === true ? undefined : { column, descending: true }
}

export interface Selection {
  readonly filters: readonly RowFilter[]
  readonly order: RowsOrder | undefined
}

export interface FittingSelection extends Selection {
  /** Says which filters and sort orders were removed; `undefined` when none was. */
  readonly removed: string | undefined
}

/** Removes filters and a sort order of columns that the table does not have, for example after a column was renamed. */
export function fitSelection(
  { filters, order }: Selection,
  table: { readonly name: string; readonly columns: readonly { readonly name: string }[] },
): FittingSelection {
  const names = new Set(table.columns.map(({ name }) => name))
  const isOrdered = order === undefined || names.has(order.column)
  const strange = filters.filter(({ column }) => !names.has(column)).map(({ column }) => column)
  const parts = [
    ...(isOrdered ? [] : [`sort by ${order.column}`]),
    ...[...new Set(strange)].map((column) => `filter on ${column}`),
  ]
  return {
    filters: strange.length === 0 ? filters : filters.filter(({ column }) => names.has(column)),
    order: isOrdered ? order : undefined,
    removed: parts.length === 0 ? undefined : removedText(table.name, parts),
  }
}

function removedText(table: string, parts: readonly string[]): string {
  const verb = parts.length === 1 ? 'was' : 'were'
  return `The ${parts.join(' and the ')} ${verb} removed, because ${table} has no such column.`
}

function isOperator(name: string | undefined): name is Operator {
  return name !== undefined && Object.hasOwn(OPERATOR_LABELS, name)
}

function encodeDots(column: string): string {
  return encodeURIComponent(column).replaceAll('.', '%2E')
}

function decodeDots(column: string): string {
  try {
    return decodeURIComponent(column)
  } catch {
    return column
  }
}
