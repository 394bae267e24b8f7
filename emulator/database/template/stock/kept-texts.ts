// Finds the statements of a clone whose effect contains the schema's name as text. Postgres stores names of objects in
// expressions, views and policies as oids, so these names follow a rename of the schema. Names inside text do not: in function
// bodies, settings, literals and comments. Pure.
import type { SchemaName } from '../../../core/names.ts'
import type { Sql } from '../../sql.ts'
import { commentStatements, type Fidelity } from '../clone-schema.ts'
import { orderUnits } from '../ddl/unit.ts'
import { planUnits } from '../plan-units.ts'
import { namesIn, renameStructure } from '../rename-structure.ts'
import type { SchemaStructure } from '../structure.ts'

// A literal, a quoted identifier or a dollar-quoted text. Postgres stores a literal of a `reg…` type as an oid.
const QUOTED =
  /'(?:[^']|'')*'(?:::(reg[a-z]+)\b)?|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\2\$/g

/**
 * Returns the statements to run again after a renaming: those of functions and comments that contain the clone's first name. The
 * statements still have the first name. Returns `undefined` when other objects contain the name as text, because no statement
 * would replace that text.
 */
export function keptTexts(
  structure: SchemaStructure,
  clone: SchemaName,
  fidelity: Fidelity,
): readonly Sql[] | undefined {
  const named = renameStructure(structure, clone)
  // Policies refer to roles by oid; their rendered lists of roles would look like texts.
  const policies = named.policies.map((policy) => ({ ...policy, roles: ['public'] }))
  const kept = orderUnits(planUnits({ ...named, policies }, fidelity === 'full')).flatMap((unit) =>
    unit.statements.map((statement) => ({ ...unit, statement, trace: traceOf(statement, clone) })),
  )
  const replaceable = new Set(
    named.routines.filter(({ definition }) => definition !== undefined).map(({ key }) => key),
  )
  const isReplaced = kept.every(
    ({ key, phase, trace }) =>
      trace === 'none' || (trace === 'text' && phase === 'routine' && replaceable.has(key)),
  )
  if (!isReplaced) return undefined
  return [
    ...kept.filter(({ trace }) => trace !== 'none').map(({ statement }) => statement),
    ...commentStatements(named, fidelity).filter((comment) => traceOf(comment, clone) !== 'none'),
  ]
}

/** How a statement names the schema: only before the dot of qualified names, inside texts too, or as another object's name. */
function traceOf({ text }: Sql, clone: SchemaName): 'none' | 'text' | 'name' {
  if (!text.includes(clone)) return 'none'
  const quotes: string[] = []
  const bare = text.replaceAll(QUOTED, (quoted: string, type: string | undefined) => {
    if (type === undefined && namesIn(quoted, clone).length > 0) quotes.push(quoted)
    return "''"
  })
  const isName = namesIn(bare, clone).some(
    ({ 0: name, index }) => name !== clone || bare[index + name.length] !== '.',
  )
  if (isName || quotes.some((quoted) => quoted.startsWith('"'))) return 'name'
  return quotes.length > 0 ? 'text' : 'none'
}
