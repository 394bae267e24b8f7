// Sequences after a rehearsal: PostgreSQL does not roll nextval() and setval() back (PostgreSQL documentation, "Sequence
// Manipulation Functions"). A sequence that scripts set back gets its former value. One that they advanced keeps its value,
// because other work may have used it meanwhile, and a gap is harmless.
import type { Actor } from '../../../core/principal.ts'
import { cellText } from '../../engine.ts'
import type { SqlParam } from '../../sql.ts'
import { parseBackendMessages } from '../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import { appendSettings } from './settings.ts'

// The owner reads its sequences. A sequence that the owner cannot read, or that was never used, has no value here. The planner
// must not ask for the value of a relation that is not a sequence.
const READ = `with own as materialized (
  select s.seqrelid as oid, s.seqincrement as increment
  from pg_catalog.pg_sequence as s
  join pg_catalog.pg_class as c on c.oid operator(pg_catalog.=) s.seqrelid
  where pg_catalog.pg_has_role(c.relowner, 'USAGE')
    and c.relnamespace operator(pg_catalog.=) (
      select n.oid from pg_catalog.pg_namespace as n where n.nspname operator(pg_catalog.=) $1::pg_catalog.name))
select oid, increment, value from own, pg_catalog.pg_sequence_last_value(oid::pg_catalog.regclass) as value
where value is not null`
const RESTORE = `with own as materialized (
  select given.oid, given.increment, given.value
  from rows from (pg_catalog.unnest($1::pg_catalog.oid[]), pg_catalog.unnest($2::pg_catalog.int8[]),
    pg_catalog.unnest($3::pg_catalog.int8[])) as given (oid, increment, value)
  join pg_catalog.pg_sequence as s on s.seqrelid operator(pg_catalog.=) given.oid)
select pg_catalog.setval(own.oid::pg_catalog.regclass, own.value)
from own, pg_catalog.pg_sequence_last_value(own.oid::pg_catalog.regclass) as present
where present is null or (case when own.increment operator(pg_catalog.>) 0
  then present operator(pg_catalog.<) own.value else present operator(pg_catalog.>) own.value end)`

type Rows = readonly (readonly (Uint8Array | null)[])[]

export class RehearsalSequences {
  readonly #connection: ServerConnection
  readonly #owner: Actor
  readonly #states: Rows

  private constructor(connection: ServerConnection, owner: Actor, states: Rows) {
    this.#connection = connection
    this.#owner = owner
    this.#states = states
  }

  /** Reads the sequences of the owner's schema in the open transaction. @throws {SqlError} */
  static async read(connection: ServerConnection, owner: Actor): Promise<RehearsalSequences> {
    const states = await exchange(connection, owner, READ, [owner.schemaName])
    return new RehearsalSequences(connection, owner, states)
  }

  /** Sets sequences forward that are behind their former values. @throws {SqlError} */
  async restore(): Promise<void> {
    if (this.#states.length === 0) return
    const lists = [0, 1, 2].map(
      (column) => `{${this.#states.map((row) => cellText(row[column]) ?? '').join(',')}}`,
    )
    await exchange(this.#connection, this.#owner, RESTORE, lists)
  }
}

async function exchange(
  connection: ServerConnection,
  { role }: Actor,
  text: string,
  params: readonly SqlParam[],
): Promise<Rows> {
  const messages = new FrontendMessages()
  appendSettings(messages, connection.prepared, [['role', role]])
  messages.statement(text, params).sync()
  const { error, results } = parseBackendMessages(await connection.exchange(messages.bytes()))
  if (error !== undefined) throw error
  return results.at(-1)?.rows ?? []
}
