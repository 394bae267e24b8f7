// Says what to write when no policy or grant is narrow enough to suggest. Pure.
import { quoteIdentifier } from '../../../database/sql.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { publicColumns, userColumns } from '../../tables/user-columns.ts'
import type { Condition } from './conditions.ts'
import type { Statement, World } from './what-if.ts'

/** Number of changes that reverse the verdict but were left out, because they would also let in anon or all signed-in users. */
export interface LeftOut {
  readonly toAnon: number
  readonly toSignedIn: number
}

export interface Unsolved {
  readonly world: World
  /** Label of the identity. */
  readonly label: string
  readonly statement: Statement
  readonly leftOut: LeftOut
  /** Conditions that follow foreign keys from rows of the table to users. */
  readonly memberships: readonly Condition[]
}

export function adviceOf(unsolved: Unsolved): string {
  const { facts, principal } = unsolved.world
  const todo =
    principal.role === 'service_role'
      ? [`Grant service_role the privileges on ${facts.name} that the server needs.`]
      : principal.role === 'anon'
        ? adviceForAnon(unsolved)
        : adviceForUser(unsolved)
  return [leftOutText(unsolved.leftOut), ...todo].join(' ')
}

/** What a policy for a statement lets a caller do with rows. */
const REACHES = {
  select: 'see',
  insert: 'insert',
  update: 'change',
  delete: 'delete',
} as const satisfies Readonly<Record<Statement['command'], string>>

function adviceForAnon({ statement, world: { facts } }: Unsolved): readonly string[] {
  const [known] = publicColumns(facts.columns)
  const flag = known?.name ?? 'is_public'
  const setting =
    known === undefined
      ? `Let users sign in, or add a boolean column ${flag} to ${facts.name}.`
      : `Let users sign in, or mark the rows that everybody may see in ${flag}.`
  return [
    `A policy for anon lets everybody with the public key ${REACHES[statement.command]} its rows.`,
    setting,
    `The policy for anon is then ${clause(statement, quoteIdentifier(flag))}.`,
  ]
}

function adviceForUser({ label, memberships, statement, world }: Unsolved): readonly string[] {
  const { facts } = world
  const [owner] = userColumns(facts)
  const [membership] = memberships
  if (owner !== undefined) {
    const condition = clause(statement, `${quoteIdentifier(owner.name)} = auth.uid()`)
    return [
      ownerText(facts, owner.name, label, statement),
      `The policy for own rows is ${condition}.`,
    ]
  }
  if (membership !== undefined)
    return [
      `Through foreign keys, the row belongs to a user other than ${label}.`,
      `A policy for own rows is ${clause(statement, membership.text)}.`,
    ]
  return [
    `Nothing in ${facts.name}, or in the tables that its foreign keys lead to, names a user.`,
    'Add a column such as owner_id uuid default auth.uid(), or a table of members.',
    `The policy is then ${clause(statement, 'owner_id = auth.uid()')}.`,
  ]
}

function ownerText(
  { name: table }: SecuredTable,
  name: string,
  label: string,
  { command, newRow = {} }: Statement,
): string {
  if (command !== 'insert')
    return `${name} of this row does not name ${label}. To share rows, add a table of members and look the user up there.`
  const isGiven = newRow[name] !== undefined && newRow[name] !== null
  return `Send the id of the signed-in user in ${name}${isGiven ? '.' : `, or give ${table}.${name} the default auth.uid().`}`
}

function clause({ command }: Statement, condition: string): string {
  return command === 'insert' ? `with check (${condition})` : `using (${condition})`
}

function leftOutText({ toAnon, toSignedIn }: LeftOut): string {
  const count = toAnon + toSignedIn
  if (count === 0) return 'Every policy for this row would give access to too many callers.'
  const audiences = [
    ...(toAnon === 0 ? [] : ['anon']),
    ...(toSignedIn === 0 ? [] : ['everybody who signs in']),
  ].join(' or ')
  return count === 1
    ? `One change was left out, because it gives access to ${audiences}.`
    : `${count} changes were left out, because they give access to ${audiences}.`
}
