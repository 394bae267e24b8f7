// Finds the kind of an expression and where its value comes from, with Postgres's parser. Pure.

import type { Operand } from '../../../contract/explain.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'

export interface ExpressionNode {
  readonly kind: 'comparison' | 'call' | 'other'
  readonly from: Operand['from']
  readonly hasSubquery: boolean
}

type Tree = Readonly<Record<string, unknown>>

/** Parses one expression. Returns `undefined` when the text is not exactly one expression. */
export function parseExpression(parser: SqlParser, text: string): ExpressionNode | undefined {
  const found = rootOf(parser, text)
  if (found === undefined) return undefined
  const [kind] = found
  const inputs = inputsOf(found[1], kind)
  return {
    kind: COMPARISONS.has(kind) ? 'comparison' : kind === 'FuncCall' ? 'call' : 'other',
    from: sourceOf(inputs),
    hasSubquery: inputs.has('subquery'),
  }
}

/**
 * Returns whether the parser confirms the split: the whole is AND, OR or NOT of exactly these parts, and each part parses
 * alone.
 */
export function isTrustedSplit(
  parser: SqlParser,
  kind: 'and' | 'or' | 'not',
  whole: string,
  parts: readonly string[],
): boolean {
  const root = rootOf(parser, whole)
  return (
    root?.[0] === 'BoolExpr' &&
    root[1]['boolop'] === `${kind.toUpperCase()}_EXPR` &&
    parts.every((part) => rootOf(parser, part) !== undefined)
  )
}

const COMPARISONS = new Set(['A_Expr', 'NullTest', 'BooleanTest', 'SubLink'])

function rootOf(
  parser: SqlParser,
  text: string,
): readonly [kind: string, fields: Tree] | undefined {
  try {
    const [statement, ...others] = parser.parse(`select (${text})`)
    const targets = statement?.fields['targetList']
    if (others.length > 0 || !Array.isArray(targets) || targets.length !== 1) return undefined
    const value: unknown = targets[0]?.ResTarget?.val
    const [entry] = isTree(value) ? Object.entries(value) : []
    return entry !== undefined && isTree(entry[1]) ? [entry[0], entry[1]] : undefined
  } catch {
    return undefined
  }
}

type Input = 'row' | 'identity' | 'subquery' | 'routine'

function sourceOf(inputs: ReadonlySet<Input>): Operand['from'] {
  if (inputs.size === 0) return 'constant'
  if (inputs.size > 1) return 'expression'
  if (inputs.has('row')) return 'row'
  return inputs.has('identity') ? 'identity' : 'expression'
}

// Settings that contain the claims and the request. auth.uid(), auth.jwt() and current_user also read the identity.
const IDENTITY_SETTINGS = /^request\.(jwt|header|cookie|method|path)/
// Functions whose result depends only on their arguments.
const PLAIN_ROUTINES = new Set([
  'lower',
  'upper',
  'trim',
  'btrim',
  'coalesce',
  'nullif',
  'length',
  'split_part',
  'jsonb_array_elements_text',
  'left',
  'right',
  'concat',
  'abs',
  'date_trunc',
  'timezone',
  'array_length',
  'jsonb_extract_path_text',
  'json_extract_path_text',
  'to_jsonb',
  'replace',
  'strpos',
  'starts_with',
])

function inputsOf(tree: Tree, kind: string): ReadonlySet<Input> {
  const inputs = new Set<Input>()
  collect(kind, tree, inputs)
  return inputs
}

function collect(kind: string, fields: Tree, inputs: Set<Input>): void {
  if (kind === 'ColumnRef') inputs.add('row')
  else if (kind === 'SubLink') inputs.add('subquery')
  else if (kind === 'SQLValueFunction')
    inputs.add(
      String(fields['op']).includes('TIME') || String(fields['op']).includes('DATE')
        ? 'routine'
        : 'identity',
    )
  else if (kind === 'FuncCall') collectCall(fields, inputs)
  if (kind === 'SubLink') return
  for (const [name, value] of Object.entries(fields))
    if (name !== 'funcname') descend(value, inputs)
}

function collectCall(fields: Tree, inputs: Set<Input>): void {
  const names = namesOf(fields['funcname'])
  const name = names.at(-1) ?? ''
  if (names.at(-2) === 'auth') inputs.add('identity')
  else if (name === 'current_setting' && IDENTITY_SETTINGS.test(firstConstant(fields['args'])))
    inputs.add('identity')
  else if (!PLAIN_ROUTINES.has(name)) inputs.add('routine')
}

function descend(value: unknown, inputs: Set<Input>): void {
  if (Array.isArray(value)) for (const element of value) descend(element, inputs)
  else if (isTree(value))
    for (const [kind, fields] of Object.entries(value)) {
      if (isTree(fields)) collect(kind, fields, inputs)
      else descend(fields, inputs)
    }
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((name) => String(name?.String?.sval ?? '')) : []
}

function firstConstant(args: unknown): string {
  const text = JSON.stringify(args) ?? ''
  return /"sval":\{"sval":"([^"]*)"/.exec(text)?.[1] ?? ''
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
