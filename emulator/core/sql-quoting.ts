// Quotes names and values in SQL. `database/sql.ts` builds statements with it, and the contract the edits of a structure. Pure.

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteLiteral(value: string): string {
  const escaped = value.replaceAll("'", "''")
  return value.includes('\\') ? ` E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`
}
