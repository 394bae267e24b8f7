// Makes the model of a schema that exists, from its structure. Pure.

import type { PolicyRecord } from '../../../database/catalog/attached.ts'
import type { RelationRecord } from '../../../database/catalog/relations.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import { type SqlParser, SqlSyntaxError } from '../../../database/sql-parser.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import { applyStatement } from './apply-statement.ts'
import { emptyModel, type SchemaModel } from './schema-model.ts'

/** The parts of a structure that the model has. */
export const MODELLED = ['constraints', 'indexes', 'policies', 'relations', 'routines'] as const

type Modelled = Pick<SchemaStructure, (typeof MODELLED)[number]>

export function modelOfStructure(parser: SqlParser, structure: Modelled): SchemaModel {
  const model = emptyModel(parser)
  for (const text of textsOf(structure))
    for (const one of parsed(parser, text)) applyStatement(model, one)
  return model
}

// Leaves out a definition that the parser cannot parse, such as one of a newer server.
function parsed(parser: SqlParser, text: string): ReturnType<SqlParser['parse']> {
  try {
    return parser.parse(text)
  } catch (error) {
    if (error instanceof SqlSyntaxError) return []
    throw error
  }
}

function textsOf({
  constraints,
  indexes,
  policies,
  relations,
  routines,
}: Modelled): readonly string[] {
  return [
    ...relations.flatMap(relationTexts),
    ...constraints.map(
      ({ definition, name, table }) =>
        `alter table ${quoteIdentifier(table)} add constraint ${quoteIdentifier(name)} ${definition}`,
    ),
    ...indexes.map(({ definition }) => definition),
    ...routines.map(({ definition = '' }) => definition.replace(/^CREATE OR REPLACE/, 'CREATE')),
    ...policies.map(policyText),
  ]
}

function relationTexts(relation: RelationRecord): readonly string[] {
  const { forcedRowSecurity, kind, options = [], query = '', rowSecurity, unlogged } = relation
  const name = quoteIdentifier(relation.name)
  // A materialised view is read like a table, without policies.
  if (kind === 'view') {
    const invoker = options.filter((one) => one.startsWith('security_invoker='))
    return [
      `create view ${name}${invoker.length === 0 ? '' : ` with (${invoker.join()})`} as ${query}`,
    ]
  }
  return [
    `create${unlogged ? ' unlogged' : ''} table ${name} ()`,
    ...(rowSecurity ? [`alter table ${name} enable row level security`] : []),
    ...(forcedRowSecurity ? [`alter table ${name} force row level security`] : []),
  ]
}

function policyText({
  check,
  command,
  name,
  permissive,
  roles,
  table,
  using,
}: PolicyRecord): string {
  const to = roles.map((role) => (role === 'public' ? role : quoteIdentifier(role))).join(', ')
  return [
    `create policy ${quoteIdentifier(name)} on ${quoteIdentifier(table)}`,
    `as ${permissive ? 'permissive' : 'restrictive'} for ${command} to ${to}`,
    ...(using === undefined ? [] : [`using (${using})`]),
    ...(check === undefined ? [] : [`with check (${check})`]),
  ].join(' ')
}
