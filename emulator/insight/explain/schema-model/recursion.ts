// Finds recursive policies: policies that read rows to which the same policies apply. Postgres refuses such a query with 42P17
// when it expands the policies, and with 54001 when functions call each other until the stack is full. Pure.

import type { References } from './references.ts'
import { type ModelPolicy, policiesOf, type SchemaModel } from './schema-model.ts'

export interface RecursionLink {
  readonly table: string
  readonly policy: string
  /** The table that the policy reads, and whose policies come next. */
  readonly reads: string
  /** Views and functions through which the policy reads the table. */
  readonly through: readonly string[]
}

export interface Recursion {
  /** The links of the cycle. The last link reads the table of the first link. */
  readonly links: readonly RecursionLink[]
  /** SQLSTATE with which a query of such a table fails. */
  readonly code: '42P17' | '54001'
  readonly command: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'
}

const ROLES = ['authenticated', 'anon']
const COMMANDS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const

/** Returns each cycle once. */
export function recursionsOf(model: SchemaModel): readonly Recursion[] {
  const found = new Map<string, Recursion>()
  for (const command of COMMANDS)
    for (const role of ROLES)
      for (const { hasRowSecurity, name } of model.tables.values()) {
        const recursion = hasRowSecurity ? new Walk(model, role, command).from(name) : undefined
        const links = recursion?.links.map(({ policy, table }) => `${table} ${policy}`)
        const key = links?.toSorted().join()
        if (recursion !== undefined && key !== undefined && !found.has(key))
          found.set(key, recursion)
      }
  return [...found.values()]
}

/** Whose policies apply when a table is read: those of the caller, or those of the owner of a function or a view. */
type Reader = 'caller' | 'owner'

interface Edge extends RecursionLink {
  readonly reader: Reader
  readonly inFunction: boolean
}

interface Step {
  readonly table: string
  readonly reader: Reader
  readonly command: Recursion['command']
  readonly path: readonly Edge[]
  /**
   * Tables whose policies Postgres is expanding. Postgres refuses to expand the policies of a table a second time when they
   * contain a query, even if the expansion would end (PostgreSQL, rewriteHandler.c). A function begins a query of its own, so the
   * list starts again there.
   */
  readonly expanding: readonly string[]
}

class Walk {
  readonly #model: SchemaModel
  readonly #role: string
  readonly #command: Recursion['command']
  readonly #seen = new Set<string>()

  constructor(model: SchemaModel, role: string, command: Recursion['command']) {
    this.#model = model
    this.#role = role
    this.#command = command
  }

  /** Returns a cycle that a query of the table runs into. */
  from(table: string): Recursion | undefined {
    const command = this.#command
    return this.#walk({ table, reader: 'caller', command, path: [], expanding: [table] })
  }

  #walk(step: Step): Recursion | undefined {
    const { command, expanding, path, reader, table } = step
    const key = JSON.stringify([table, reader, command, expanding])
    if (this.#seen.has(key)) return undefined
    this.#seen.add(key)
    for (const edge of this.#edges(table, reader, command)) {
      const links = [...path, edge]
      const start = this.#startOfCircle(edge, step)
      if (start !== undefined) return this.#recursion(links.slice(start))
      const next = edge.inFunction ? [edge.reads] : [...expanding, edge.reads]
      const found = this.#walk({
        table: edge.reads,
        reader: edge.reader,
        command: 'SELECT',
        path: links,
        expanding: next,
      })
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Returns the number of links before the cycle that the edge closes; `undefined` when the edge closes no cycle. */
  #startOfCircle(edge: Edge, { expanding, path, table }: Step): number | undefined {
    const { inFunction, reader, reads } = edge
    if (!inFunction && expanding.includes(reads)) {
      const isRefused = this.#policies(reads, reader, 'SELECT').some(
        ({ using }) => using.hasSubquery,
      )
      return isRefused ? [...path, edge].findIndex((one) => one.table === reads) : undefined
    }
    // The policies of the command apply to the first table, and SELECT policies apply to all later tables.
    const isFirst =
      this.#command === 'SELECT' && reader === 'caller' && (path[0]?.table ?? table) === reads
    if (isFirst) return 0
    const entered = path.findIndex((one) => one.reads === reads && one.reader === reader)
    return entered === -1 ? undefined : entered + 1
  }

  #edges(table: string, reader: Reader, command: Recursion['command']): readonly Edge[] {
    return this.#policies(table, reader, command).flatMap(({ check, name, using }) =>
      [using, ...(command === 'SELECT' ? [] : [check])]
        .flatMap((one) => readsOf(this.#model, one))
        .filter((read) => this.#isJudged(read, reader))
        .map(({ asOwner, inFunction, relation, through }) => ({
          table,
          policy: name,
          reads: relation,
          through,
          inFunction,
          reader: asOwner ? 'owner' : reader,
        })),
    )
  }

  #policies(table: string, reader: Reader, command: string): readonly ModelPolicy[] {
    return policiesOf(this.#model, table).filter(
      (policy) =>
        (policy.command === 'all' || policy.command === command.toLowerCase()) &&
        (policy.roles.includes('public') ||
          (reader === 'caller' && policy.roles.includes(this.#role))),
    )
  }

  #isJudged({ asOwner, relation }: Read, reader: Reader): boolean {
    const table = this.#model.tables.get(relation)
    const isOwner = asOwner || reader === 'owner'
    return table?.hasRowSecurity === true && (!isOwner || table.isForced)
  }

  #recursion(edges: readonly Edge[]): Recursion {
    return {
      links: edges.map(({ inFunction: _, reader: __, ...link }) => link),
      code: edges.some(({ inFunction }) => inFunction) ? '54001' : '42P17',
      command: this.#command,
    }
  }
}

// Finds the tables that an expression reads, directly or through views and functions. Pure.

/** A relation that is read. */
interface Read {
  readonly relation: string
  /** Views and functions through which the relation is read, outermost first. A function is written as `is_member()`. */
  readonly through: readonly string[]
  /** Whether a function or a view reads with its owner's rights. */
  readonly asOwner: boolean
  /** Whether the relation is read inside a function. */
  readonly inFunction: boolean
}

const START = { through: [], asOwner: false, inFunction: false } as const

/**
 * Returns every relation once for each way of reading it. The result contains the relations that a view reads instead of the
 * view.
 */
function readsOf(model: SchemaModel, references: References): readonly Read[] {
  const found: Read[] = []
  const seen = new Set<string>()
  const follow = (one: References, way: Omit<Read, 'relation'>): void => {
    for (const relation of one.relations) {
      const view = model.views.get(relation)
      if (view === undefined) found.push({ ...way, relation })
      else
        visit(relation, view.references, {
          ...way,
          through: [...way.through, relation],
          asOwner: way.asOwner || !view.isInvoker,
        })
    }
    for (const name of one.functions) {
      const called = model.functions.get(name)
      if (called !== undefined)
        visit(`${name}()`, called.references, {
          through: [...way.through, `${name}()`],
          asOwner: way.asOwner || called.isDefiner,
          inFunction: true,
        })
    }
  }
  const visit = (name: string, one: References, way: Omit<Read, 'relation'>): void => {
    const key = `${name} ${way.asOwner}`
    if (seen.has(key)) return
    seen.add(key)
    follow(one, way)
  }
  follow(references, START)
  return found
}
