// Gives rows without a value the default of a column before a changed step forbids nulls in it. Pure.
import { localStatement, plainIdentifier } from '../../../database/differ/local-names.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'

/**
 * Returns the differ's statements from `former` to `present`, with an update before each `set not null` of a column that has a
 * default. The rows get the value that they would have if the step had had the default at first.
 */
export function fillNulls(
  statements: readonly string[],
  former: SchemaStructure,
  present: SchemaStructure,
): readonly string[] {
  const fills = new Map<string, string>()
  for (const { columns, name } of present.relations) {
    const known = former.relations.find((relation) => relation.name === name)
    for (const { expression, generated, name: column, notNull } of columns) {
      const old = known?.columns.find((one) => one.name === column)
      if (expression === undefined || generated !== undefined || notNull === undefined) continue
      if (old === undefined || old.notNull !== undefined) continue
      const [table, field] = [plainIdentifier(name), plainIdentifier(column)]
      const fill = `update only ${table} set ${field} = ${expression} where ${field} is null`
      fills.set(
        `alter table ${table} alter column ${field} set not null`,
        localStatement(fill, present.schemaName, new Set()),
      )
    }
  }
  return statements.flatMap((text) => {
    const fill = fills.get(text)
    return fill === undefined ? [text] : [fill, text]
  })
}
