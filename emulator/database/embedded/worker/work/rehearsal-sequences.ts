// Restores the sequences that a rehearsal advanced. PostgreSQL does not roll nextval() and setval() back (PostgreSQL
// documentation, "Sequence Manipulation Functions").
import type { Actor } from '../../../../core/principal.ts'
import { cellText } from '../../../engine.ts'
import { parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import { BackendDied } from '../backend/backend.ts'
import { END, type Session } from '../session/session.ts'

// The owner reads its sequences. A sequence that the owner cannot read has no values here. No index of pg_class finds the
// sequences of a schema, but every object depends on its schema.
const READ = `select c.oid, d.last_value, d.is_called
from pg_catalog.pg_depend as member
join pg_catalog.pg_class as c on c.oid operator(pg_catalog.=) member.objid
cross join lateral pg_catalog.pg_get_sequence_data(c.oid::pg_catalog.regclass) as d
where c.relkind operator(pg_catalog.=) 'S' and d.last_value is not null
  and member.classid operator(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
  and member.refclassid operator(pg_catalog.=) 'pg_catalog.pg_namespace'::pg_catalog.regclass
  and member.refobjid operator(pg_catalog.=) (
    select n.oid from pg_catalog.pg_namespace as n where n.nspname operator(pg_catalog.=) $1::pg_catalog.name)
  and pg_catalog.pg_has_role(c.relowner, 'USAGE')`
// Names the sequences by their oids, because planning this takes a fifth of the time of planning the question above again.
const RESTORE = `select pg_catalog.setval(s.oid::pg_catalog.regclass, s.last_value, s.is_called)
from rows from (pg_catalog.unnest($1::pg_catalog.oid[]), pg_catalog.unnest($2::pg_catalog.int8[]), pg_catalog.unnest($3::pg_catalog.bool[]))
  as s (oid, last_value, is_called)
cross join lateral pg_catalog.pg_get_sequence_data(s.oid::pg_catalog.regclass) as now
where (now.last_value operator(pg_catalog.<>) s.last_value or now.is_called operator(pg_catalog.<>) s.is_called)`

interface SequenceState {
  readonly oid: string
  readonly lastValue: string
  readonly isCalled: string
}

export class RehearsalSequences {
  readonly #session: Session
  readonly #states: readonly SequenceState[]

  private constructor(session: Session, schemaName: string) {
    this.#session = session
    this.#states = this.#read(schemaName)
  }

  /** Reads the sequences of the schema in the open transaction. The owner must be the session user. @throws {BackendDied} */
  static read(session: Session, owner: Actor): RehearsalSequences {
    return new RehearsalSequences(session, owner.schemaName)
  }

  /** Sets changed sequences back, in a transaction of its own. @throws {BackendDied} */
  restore(): void {
    if (this.#states.length === 0) return
    const listOf = (values: readonly string[]): string => `{${values.join(',')}}`
    const lists = [
      listOf(this.#states.map(({ oid }) => oid)),
      listOf(this.#states.map(({ lastValue }) => lastValue)),
      listOf(this.#states.map(({ isCalled }) => isCalled)),
    ]
    this.#exchange(new FrontendMessages().statement(RESTORE, lists))
  }

  #read(schemaName: string): readonly SequenceState[] {
    const messages = new FrontendMessages().statement(READ, [schemaName])
    return (this.#exchange(messages)[0]?.rows ?? []).map(([oid, lastValue, isCalled]) => ({
      oid: cellText(oid) ?? '',
      lastValue: cellText(lastValue) ?? '',
      isCalled: cellText(isCalled) ?? '',
    }))
  }

  #exchange(messages: FrontendMessages): ReturnType<typeof parseBackendMessages>['results'] {
    const { error, results } = parseBackendMessages(
      this.#session.backend.exchange(messages.append(END).bytes()),
    )
    if (error !== undefined)
      throw new BackendDied(`the sequences of a rehearsal are lost: ${error.message}`)
    return results
  }
}
