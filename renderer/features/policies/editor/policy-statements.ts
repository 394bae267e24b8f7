// Writes the statements of a policy's draft, and finds the field that an error of Postgres is about. Pure.
import type { PolicyOverview } from '../../../../emulator/contract/explain.ts'
import type { SqlFailure } from '../../../../emulator/contract/sql-console.ts'

export type PolicyTable = PolicyOverview['tables'][number]
export type Policy = PolicyTable['policies'][number]

/** The fields of the editor. An expression that the policy does not have is an empty text. */
export interface PolicyDraft {
  readonly name: string
  readonly command: Policy['command']
  readonly permissive: boolean
  readonly roles: readonly string[]
  readonly using: string
  readonly check: string
}

export type Clause = 'using' | 'check'

export interface DraftStatements {
  /** The statements. Each one ends with a semicolon. */
  readonly sql: string
  /** The 0-based places of the expressions in `sql`. */
  readonly places: Readonly<Partial<Record<Clause, Place>>>
}

interface Place {
  readonly from: number
  readonly to: number
}

/** The clauses that Postgres evaluates for a command. */
export const CLAUSES: Readonly<Record<Policy['command'], readonly Clause[]>> = {
  all: ['using', 'check'],
  select: ['using'],
  insert: ['check'],
  update: ['using', 'check'],
  delete: ['using'],
}

/** Returns the statements that change the policy `former` to the draft, or that create the draft. Empty when nothing changes. */
export function draftStatements(
  table: string,
  former: PolicyDraft | undefined,
  draft: PolicyDraft,
): DraftStatements {
  const writer = new Writer()
  if (former === undefined) return create(writer, table, draft)
  if (!canAlter(former, draft))
    return create(writer.add(`${dropStatement(table, former.name)}\n`), table, draft)
  const on = `on ${quoted(table)}`
  if (former.name !== draft.name)
    writer.add(`alter policy ${quoted(former.name)} ${on} rename to ${quoted(draft.name)};\n`)
  const expressions = CLAUSES[draft.command].filter(
    (clause) => draft[clause] !== '' && draft[clause] !== former[clause],
  )
  const hasOtherRoles = rolesText(former.roles) !== rolesText(draft.roles)
  if (hasOtherRoles || expressions.length > 0) {
    writer.add(`alter policy ${quoted(draft.name)} ${on}`)
    if (hasOtherRoles) writer.add(`\n  to ${rolesText(draft.roles)}`)
    writer.addClauses(draft, expressions).add(';\n')
  }
  return writer.end()
}

export function dropStatement(table: string, policy: string): string {
  return `drop policy ${quoted(policy)} on ${quoted(table)};`
}

export function rowSecurityStatement(table: string, isOn: boolean): string {
  return `alter table ${quoted(table)} ${isOn ? 'enable' : 'disable'} row level security;`
}

export interface ErrorPlace {
  readonly clause: Clause
  /** 0-based offset in the clause's text; `undefined` when only the clause is known. */
  readonly at: number | undefined
}

/**
 * Finds the clause that caused an error. Postgres gives a position only for syntax errors. For other errors, the clause is found
 * by the name in the error's message.
 */
export function placeOf(
  statements: DraftStatements,
  { code, message, position }: Pick<SqlFailure, 'code' | 'message' | 'position'>,
): ErrorPlace | undefined {
  if (position !== null) return placeAt(statements, position - 1)
  if (!OF_EXPRESSIONS.has(code)) return undefined
  const name = /"([^"]+)"|function ([\w.]+)/.exec(message)
  return named(statements, name?.[1] ?? name?.[2]) ?? onlyClause(statements)
}

/** SQLSTATEs of errors inside an expression, such as an unknown column or a value that is not a boolean. */
const OF_EXPRESSIONS: ReadonlySet<string> = new Set([
  '42703',
  '42883',
  '42P01',
  '42704',
  '42804',
  '22P02',
  '42803',
])

// An error at the closing parenthesis belongs to the end of the expression.
function placeAt({ places }: DraftStatements, offset: number): ErrorPlace | undefined {
  for (const [clause, place] of entriesOf(places))
    if (offset >= place.from && offset <= place.to + 1)
      return { clause, at: Math.min(offset, place.to) - place.from }
  return undefined
}

function named({ places, sql }: DraftStatements, name = ''): ErrorPlace | undefined {
  const last = name.split('.').at(-1) ?? ''
  if (last === '') return undefined
  const word = new RegExp(`(?<![\\w$])${last.replaceAll(/[^\w]/g, '\\$&')}(?![\\w$])`, 'i')
  for (const [clause, place] of entriesOf(places)) {
    const at = sql.slice(place.from, place.to).search(word)
    if (at >= 0) return { clause, at }
  }
  return undefined
}

function onlyClause({ places }: DraftStatements): ErrorPlace | undefined {
  const [[clause] = [], ...others] = entriesOf(places)
  return clause === undefined || others.length > 0 ? undefined : { clause, at: undefined }
}

function entriesOf(places: DraftStatements['places']): readonly (readonly [Clause, Place])[] {
  return (['using', 'check'] as const).flatMap((clause) => {
    const place = places[clause]
    return place === undefined ? [] : [[clause, place] as const]
  })
}

/** Returns for each field why the draft cannot become statements. */
export function draftProblems(
  { policies }: Pick<PolicyTable, 'policies'>,
  former: PolicyDraft | undefined,
  draft: PolicyDraft,
): Readonly<Partial<Record<'name' | 'roles' | Clause, string>>> {
  const { command, name, roles } = draft
  const [first = 'using'] = CLAUSES[command]
  const isTaken = name !== former?.name && policies.some((policy) => policy.name === name)
  return {
    ...(name.trim() === '' && { name: 'Enter a name.' }),
    ...(isTaken && { name: `The table has a policy ${name}. Choose another name.` }),
    ...(new TextEncoder().encode(name).length > 63 && {
      name: 'Postgres shortens names to 63 bytes. Choose a shorter name.',
    }),
    ...(roles.length === 0 && { roles: 'Choose at least one role.' }),
    ...(draft[first].trim() === '' && {
      [first]: 'Enter a condition. Write true for every row.',
    }),
  }
}

/**
 * Whether ALTER POLICY can make the change. ALTER POLICY cannot change the command or the kind, and cannot remove an expression.
 */
function canAlter(former: PolicyDraft, draft: PolicyDraft): boolean {
  return (
    former.command === draft.command &&
    former.permissive === draft.permissive &&
    CLAUSES[draft.command].every((clause) => former[clause] === '' || draft[clause] !== '')
  )
}

function create(writer: Writer, table: string, draft: PolicyDraft): DraftStatements {
  const { command, name, permissive, roles } = draft
  const kind = permissive ? '' : '\n  as restrictive'
  return writer
    .add(`create policy ${quoted(name)} on ${quoted(table)}${kind}`)
    .add(`\n  for ${command}\n  to ${rolesText(roles)}`)
    .addClauses(
      draft,
      CLAUSES[command].filter((clause) => draft[clause] !== ''),
    )
    .add(';\n')
    .end()
}

class Writer {
  #sql = ''
  readonly #places: Partial<Record<Clause, Place>> = {}

  add(text: string): this {
    this.#sql += text
    return this
  }

  addClauses(draft: PolicyDraft, clauses: readonly Clause[]): this {
    for (const clause of clauses) {
      this.add(clause === 'using' ? '\n  using (' : '\n  with check (')
      const from = this.#sql.length
      this.add(draft[clause])
      this.#places[clause] = { from, to: this.#sql.length }
      // A comment at the end of the expression would include the parenthesis, so the parenthesis is on a new line.
      this.add(draft[clause].includes('--') ? '\n)' : ')')
    }
    return this
  }

  end(): DraftStatements {
    return { sql: this.#sql.trimEnd(), places: this.#places }
  }
}

/** Role names that need no quotes. The keyword `public` means all roles. */
const PLAIN_ROLES: ReadonlySet<string> = new Set([
  'public',
  'anon',
  'authenticated',
  'service_role',
])

function rolesText(roles: readonly string[]): string {
  return roles
    .toSorted()
    .map((role) => (PLAIN_ROLES.has(role) ? role : quoted(role)))
    .join(', ')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
