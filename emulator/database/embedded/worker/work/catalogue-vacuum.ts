// Frees the space of the catalogue rows that rehearsals leave behind. DDL that is rolled back leaves dead rows, and the engine
// has no autovacuum. After 1,000 jobs with three steps, pg_attribute had 48,000 dead rows and each job took 1.5 times as long.
// cspell:ignore shdepend
import { BackendDied } from '../backend/backend.ts'
import { PLATFORM_WORK } from '../fence/fence.ts'
import { IDLE_ROLE } from '../fence/identity.ts'
import { type Session, singleStatement } from '../session/session.ts'

// The catalogues that CREATE TABLE, CREATE INDEX, CREATE POLICY, CREATE FUNCTION and COMMENT write to. The time of a vacuum grows
// with the number of dead rows, so the catalogues that grow fastest are listed more often.
const CATALOGUES = [
  'pg_attribute',
  'pg_depend',
  'pg_constraint',
  'pg_class',
  'pg_attribute',
  'pg_policy',
  'pg_type',
  'pg_index',
  'pg_attribute',
  'pg_depend',
  'pg_shdepend',
  'pg_attrdef',
  'pg_attribute',
  'pg_trigger',
  'pg_description',
  'pg_sequence',
  'pg_attribute',
  'pg_depend',
  'pg_proc',
  'pg_rewrite',
] as const
const SUPERUSER = 'postgres'

export class CatalogueVacuum {
  readonly #session: Session
  #turns = 0

  constructor(session: Session) {
    this.#session = session
  }

  /** Vacuums one catalogue: each call takes the next one of the list. @throws {BackendDied} */
  runNext(): void {
    const catalogue = CATALOGUES[this.#turns % CATALOGUES.length]
    this.#turns += 1
    // Shrinking the file would need an exclusive lock on the catalogue. Updating the database's statistics would read all of
    // pg_class. With many tenants, this would take most of the vacuum's time.
    const options = 'truncate false, skip_database_stats'
    this.#asSuperuser(singleStatement(`vacuum (${options}) pg_catalog.${catalogue}`))
  }

  // VACUUM opens its own transactions, so rights that runPlatformWork grants for one transaction would not last. VACUUM runs no
  // code of a tenant, because the indexes of the catalogues have no expressions.
  #asSuperuser(messages: Uint8Array): void {
    const session = this.#session
    session.lendToPlatform()
    if (!session.assume(SUPERUSER)) throw new BackendDied('the superuser is gone')
    try {
      session.fence.side = PLATFORM_WORK
      // A failure, such as a full disk, is harmless: the next turn frees the dead rows.
      session.backend.exchange(messages)
    } finally {
      session.fence.side = undefined
      session.assume(IDLE_ROLE)
    }
  }
}
