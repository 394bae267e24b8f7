// Finds the parameters of a text in the editor: $1, $2 … outside strings, quoted names and comments. Pure.

const QUOTED =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$/g
const PARAMETER = /(?<![\w$])\$(\d{1,3})(?!\w)/g
const MOST = 100

/** Returns how many values the text needs, which is the highest number of its parameters. */
export function parametersIn(sql: string): number {
  const bare = sql.replaceAll(QUOTED, ' ')
  const numbers = [...bare.matchAll(PARAMETER)].map(([, number]) => Number(number))
  return Math.min(MOST, Math.max(0, ...numbers))
}

/** Returns a value for each parameter. The value of a new parameter is null. */
export function valuesFor(
  sql: string,
  known: readonly (string | null)[],
): readonly (string | null)[] {
  return Array.from({ length: parametersIn(sql) }, (_, place) => known[place] ?? null)
}
