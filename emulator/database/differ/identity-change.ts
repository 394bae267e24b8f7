// Statements that add, change and remove the identity of a column. Pure.
import type { ColumnRecord } from '../catalog/relations.ts'
import { quoteIdentifier } from '../sql.ts'
import { sequenceOptions } from '../template/ddl/create-object.ts'
import { type Draft, draft } from './difference.ts'

type Column = ColumnRecord

function alter(table: string, column: string, change: string): Draft {
  return draft(`alter table ${table} alter column ${quoteIdentifier(column)} ${change}`)
}

/** @param table the qualified name */
export function dropIdentity(table: string, old: Column, column: Column): readonly Draft[] {
  return old.identity !== undefined && column.identity === undefined
    ? [alter(table, column.name, 'drop identity')]
    : []
}

/** @param table the qualified name */
export function changeIdentity(table: string, old: Column, column: Column): readonly Draft[] {
  const { identity, name } = column
  if (identity === undefined) return []
  const mode = identity.always ? 'always' : 'by default'
  if (old.identity === undefined) {
    const next = `coalesce(max(${quoteIdentifier(name)}) + ${identity.options.increment}, ${identity.options.start})`
    return [
      alter(
        table,
        name,
        `add generated ${mode} as identity (sequence name ${identity.sequence} ${sequenceOptions(identity.options)})`,
      ),
      // Existing rows keep their numbers, so the sequence must continue after the highest number.
      draft(
        `select setval('${identity.sequence.replaceAll("'", "''")}'::regclass, ${next}, false) from ${table}`,
      ),
    ]
  }
  const options = sequenceOptions(identity.options)
  const sets = [
    ...(old.identity.always === identity.always ? [] : [`set generated ${mode}`]),
    ...(sequenceOptions(old.identity.options) === options
      ? []
      : [
          options.replace(
            /(start with|increment by|minvalue|maxvalue|cache|no cycle|cycle)/g,
            'set $1',
          ),
        ]),
  ]
  const renamed = old.identity.sequence !== identity.sequence
  return [
    ...(sets.length === 0 ? [] : [alter(table, name, sets.join(' '))]),
    ...(renamed
      ? [draft(`alter sequence ${old.identity.sequence} rename to ${lastName(identity.sequence)}`)]
      : []),
  ]
}

function lastName(qualified: string): string {
  return /(?:"(?:[^"]|"")*"|[^."]+)$/.exec(qualified)?.[0] ?? qualified
}
