// Quotes names and values in SQL. `database/sql.ts` and `contract/structure-edits.ts` build statements with it. Pure.

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteLiteral(value: string): string {
  const escaped = value.replaceAll("'", "''")
  return value.includes('\\') ? ` E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`
}
