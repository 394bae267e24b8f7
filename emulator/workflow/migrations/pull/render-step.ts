// Renders a structure as the text of one migration step, which builds the structure in a new project through db/exec
// (docs/wire/platform.md#db-exec). The statements name no schema, so that the step runs in any project. Pure.
import { ownerRoleOf } from '../../../core/names.ts'
import type { PolicyRecord } from '../../../database/catalog/attached.ts'
import { localStatement } from '../../../database/differ/local-names.ts'
import { quoteIdentifier, type Sql, verbatim } from '../../../database/sql.ts'
import { commentStatements, refreshStatements } from '../../../database/template/clone-schema.ts'
import {
  defaultPrivilegeStatements,
  grantStatements,
} from '../../../database/template/ddl/grant.ts'
import { orderUnits, type Phase, type Unit } from '../../../database/template/ddl/unit.ts'
import { planUnits } from '../../../database/template/plan-units.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'

export interface StepSubject {
  readonly structure: SchemaStructure
  /** First line of the step, without the comment sign. */
  readonly title: string
}

interface Group {
  readonly heading: string
  readonly statements: readonly string[]
}

/** The policy that the platform adds to each new table (docs/wire/platform.md#default-grants). */
const AUTOMATIC: Omit<PolicyRecord, 'key' | 'table'> = {
  name: 'service_role_all',
  permissive: true,
  command: 'all',
  roles: ['service_role'],
  using: 'true',
  check: 'true',
}

/** Returns the whole file. */
export function renderStep({ structure, title }: StepSubject): string {
  const { schemaName } = structure
  const hidden = new Set(structure.hidden.map(({ key }) => key))
  const rest = withoutAutomatic(structure)
  const local = ({ text }: Sql): string => localStatement(text, schemaName, hidden)
  const units = orderUnits([...policyDrops(structure), ...planUnits(rest, true)])
  const groups: Group[] = [
    // Postgres must not check the bodies of functions, because a function may name tables that the step creates later.
    ...(structure.routines.length === 0
      ? []
      : [
          {
            heading: 'Settings of this step',
            statements: ['set local check_function_bodies = off'],
          },
        ]),
    ...units.map(({ key, phase, statements }) => ({
      heading: headingOf(key, phase),
      statements: statements.map(local).map((text) => tidied(key, phase, text)),
    })),
    { heading: 'Materialised views', statements: refreshStatements(rest, schemaName).map(local) },
    { heading: 'Comments', statements: commentStatements(rest, 'full').map(local) },
    { heading: 'Grants', statements: privileges(rest).map(local) },
  ]
  const text = textOf(merged(groups))
  return text === ''
    ? `-- ${title}\n-- The project has no objects of its own.\n`
    : `-- ${title}\n\n${text}`
}

function privileges({ defaultPrivileges, grants, schemaName }: SchemaStructure): readonly Sql[] {
  const owner = ownerRoleOf(schemaName)
  return [
    ...grantStatements(grants, owner),
    ...defaultPrivilegeStatements(defaultPrivileges, schemaName, owner),
  ]
}

function isAutomatic({ key: _key, table: _table, ...policy }: PolicyRecord): boolean {
  return (
    policy.name === AUTOMATIC.name &&
    policy.permissive &&
    policy.command === AUTOMATIC.command &&
    policy.roles.join() === AUTOMATIC.roles.join() &&
    policy.using === AUTOMATIC.using &&
    policy.check === AUTOMATIC.check
  )
}

function withoutAutomatic(structure: SchemaStructure): SchemaStructure {
  return { ...structure, policies: structure.policies.filter((policy) => !isAutomatic(policy)) }
}

/** Returns units that drop the platform's automatic policy from the tables that should not have it. */
function policyDrops({ policies, relations, schemaName }: SchemaStructure): readonly Unit[] {
  const having = new Set(policies.filter(isAutomatic).map(({ table }) => table))
  return relations
    .filter(({ kind, name }) => (kind === 'table' || kind === 'partitioned') && !having.has(name))
    .map(({ key, name }) => ({
      key: `policy:${name}.`,
      phase: 'behaviour',
      statements: [
        verbatim(
          `drop policy if exists ${AUTOMATIC.name} on ${schemaName}.${quoteIdentifier(name)}`,
        ),
      ],
      needs: [key],
    }))
}

const HEADINGS: Readonly<Record<Phase, string>> = {
  collation: 'Types',
  dictionary: 'Text search',
  configuration: 'Text search',
  type: 'Types',
  sequence: 'Sequences',
  routine: 'Functions',
  operator: 'Operators and casts',
  cast: 'Operators and casts',
  table: 'Tables',
  attachment: 'Tables',
  view: 'Views',
  constraint: 'Constraints',
  index: 'Indexes',
  foreignKey: 'Foreign keys',
  behaviour: 'Triggers and rules',
  setting: 'Row-level security and settings of tables',
}

function tidied(key: string, phase: Phase, text: string): string {
  return phase === 'table' ? tidyTable(text, key.replace(/^relation:/, '')) : text
}

function headingOf(key: string, phase: Phase): string {
  return key.startsWith('policy:') ? 'Policies' : HEADINGS[phase]
}

/** Joins neighbouring groups that have the same heading. */
function merged(groups: readonly Group[]): readonly Group[] {
  const result: { heading: string; statements: string[] }[] = []
  for (const { heading, statements } of groups) {
    if (statements.length === 0) continue
    const last = result.at(-1)
    if (last?.heading === heading) last.statements.push(...statements)
    else result.push({ heading, statements: [...statements] })
  }
  return result
}

function textOf(groups: readonly Group[]): string {
  return groups.map(({ heading, statements }) => `-- ${heading}\n${spaced(statements)}`).join('\n')
}

/** Puts a blank line around each statement of several lines. */
function spaced(statements: readonly string[]): string {
  return statements
    .map((statement, index) => {
      const before = statements[index - 1]
      const isApart = before !== undefined && /\n/.test(before + statement)
      return `${isApart ? '\n' : ''}${statement};\n`
    })
    .join('')
}

// Removes the parts of `create table` that Postgres chooses by itself: names of NOT NULL constraints, and names and options of
// identity sequences. The catalogue contains all of these parts. Pure.

/** Maximum length of an identifier in bytes. Postgres shortens longer automatic names. */
const NAME_BYTES = 63
const LARGEST: Readonly<Record<string, string>> = {
  smallint: '32767',
  integer: '2147483647',
  bigint: '9223372036854775807',
}
const COLUMN = /^ {2}([a-z_][a-z0-9_]*) (.*)$/s

/** Returns the statement in a shorter form with the same effect. @param table the table's unquoted name */
function tidyTable(statement: string, table: string): string {
  return statement
    .split('\n')
    .map((line) => tidyColumn(line, table))
    .join('\n')
}

function tidyColumn(line: string, table: string): string {
  const [, column, rest] = COLUMN.exec(line) ?? []
  if (column === undefined || rest === undefined || column === 'constraint') return line
  const name = (ending: string) => `${table}_${column}_${ending}`
  if (Buffer.byteLength(name('not_null')) > NAME_BYTES) return line
  const [type = ''] = rest.split(' ', 1)
  const sequence = `(sequence name ${name('seq')} start with 1 increment by 1 minvalue 1 maxvalue ${LARGEST[type]} cache 1 no cycle)`
  const plain = rest
    .replace(
      new RegExp(`^([^']*?) constraint ${name('not_null')} not null(?! no inherit)`),
      '$1 not null',
    )
    .replace(` as identity ${sequence}`, ' as identity')
  return `  ${column} ${plain}`
}
