// Decides which tables' rows a rehearsal of steps needs. These are the tables that the steps name, and the tables whose rows
// decide who sees the rows of these tables. The tables that all of these refer to by foreign keys are needed, too. Names are
// found as words of SQL, so a table too many may be found. A table is missed only when SQL composes its name at run time. Pure.
import type { SchemaStructure } from '../../../database/template/structure.ts'

/** @param texts the SQL of the steps @returns the tables whose rows the rehearsal needs, in the order of the structure */
export function tablesToRead(
  structure: SchemaStructure,
  texts: readonly string[],
): readonly string[] {
  const objects = objectsOf(structure)
  const used = reach(objects, texts, ({ needs }) => [needs])
  // A table is also needed when its policies read a changed table, for example memberships, because other users may see its rows
  // then.
  const judged = [...objects].flatMap(([name, { judges }]) =>
    [...reach(objects, [judges], ({ needs }) => [needs])].some((one) => used.has(one))
      ? [name]
      : [],
  )
  const seen = reach(objects, [...texts, ...judged.map(quoted)], ({ judges, needs }) => [
    needs,
    judges,
  ])
  const all = reach(objects, [...seen].map(quoted), ({ refers }) => [refers])
  return tablesOf(structure).filter((name) => all.has(name))
}

/** Returns the names of all tables that can have rows. */
export function tablesOf({ relations }: SchemaStructure): readonly string[] {
  return relations
    .filter(({ kind }) => kind === 'table' || kind === 'partitioned')
    .map(({ name }) => name)
}

/** The SQL of a table, of a view, or of all functions with the same name. */
interface Named {
  /** SQL that Postgres runs when the object is used. */
  readonly needs: string
  /** Policies. */
  readonly judges: string
  /** Definitions of foreign keys. */
  readonly refers: string
}

function objectsOf(structure: SchemaStructure): ReadonlyMap<string, Named> {
  const { constraints, policies, relations, routines, triggers } = structure
  const functions = Map.groupBy(routines, ({ signature }) => bareName(signature))
  const objects = new Map<string, Named>()
  for (const [name, all] of functions) {
    const needs = all.map(({ definition = '' }) => definition).join('\n')
    objects.set(name, { needs, judges: '', refers: '' })
  }
  for (const { columns, name, query = '' } of relations) {
    const own = constraints.filter(({ table }) => table === name)
    const definitions = (isForeign: boolean) =>
      own.flatMap(({ definition, kind }) => ((kind === 'foreign') === isForeign ? definition : []))
    const needs = [
      query,
      ...columns.map(({ expression = '' }) => expression),
      ...definitions(false),
      ...triggers.flatMap(({ definition = '', table }) => (table === name ? definition : [])),
    ]
    const judges = policies.flatMap(({ check = '', table, using = '' }) =>
      table === name ? [using, check] : [],
    )
    objects.set(name, {
      needs: needs.join('\n'),
      judges: judges.join('\n'),
      refers: definitions(true).join('\n'),
    })
  }
  return objects
}

/** Returns `total` of `proj_shop.total(integer)`. */
function bareName(signature: string): string {
  const [qualified = ''] = signature.split('(', 1)
  return qualified.slice(qualified.indexOf('.') + 1).replaceAll('"', '')
}

/** Returns the objects that the texts name, and all objects that the SQL of found objects names. */
function reach(
  objects: ReadonlyMap<string, Named>,
  texts: readonly string[],
  textsOf: (object: Named) => readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [...texts]
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop())
    for (const word of wordsOf(text)) {
      const object = objects.get(word)
      if (object === undefined || found.has(word)) continue
      found.add(word)
      waiting.push(...textsOf(object))
    }
  return found
}

/** Returns every name that the text may contain: its words, also in lower case, and its quoted identifiers. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []
  const identifiers = [...text.matchAll(/"((?:[^"]|"")+)"/g)].map(([, name = '']) =>
    name.replaceAll('""', '"'),
  )
  return new Set([...words, ...words.map((word) => word.toLowerCase()), ...identifiers])
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
