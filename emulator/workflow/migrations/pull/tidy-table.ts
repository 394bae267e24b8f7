// Removes from `create table` what Postgres chooses itself: names of NOT NULLs, and names and options of identity sequences.
// The catalogue lists them in full. Pure.

/** Maximum length of an identifier in bytes. Postgres shortens longer automatic names. */
const NAME_BYTES = 63
const LARGEST: Readonly<Record<string, string>> = {
  smallint: '32767',
  integer: '2147483647',
  bigint: '9223372036854775807',
}
const COLUMN = /^ {2}([a-z_][a-z0-9_]*) (.*)$/s

/** Returns the statement in a shorter form with the same effect. @param table the table's unquoted name */
export function tidyTable(statement: string, table: string): string {
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
