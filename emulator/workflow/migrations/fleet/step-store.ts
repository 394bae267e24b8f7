// Remembers the migration steps that were given last for each group, because the emulator has no folder of steps of its own. The
// fleet is compared with these steps, and the inspector applies them.
import type { Clock } from '../../../core/clock.ts'
import type { GroupId } from '../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import type { MigrationSet } from '../../../database/system-db/system-schema.ts'
import { CREATE_BASES } from '../drift/base-store.ts'
import { CREATE_TEXTS } from '../redo/text-store.ts'
import { type Step, toSteps } from '../steps/step.ts'

export const STEP_MIGRATIONS: MigrationSet = {
  layer: 'migrations',
  steps: [
    `
    create table given_steps (
      group_id text primary key references groups (id) on delete cascade,
      digest text not null,
      given_at integer not null
    ) strict;

    create table group_steps (
      group_id text not null references groups (id) on delete cascade,
      version text not null,
      file text not null,
      checksum text not null,
      sql text not null,
      primary key (group_id, version)
    ) strict, without rowid;
    `,
    CREATE_BASES,
    CREATE_TEXTS,
  ],
}

/** Maximum length of all steps of a group together, in characters. The store keeps no steps of a group that has more. */
const MAX_REMEMBERED_CHARACTERS = 16 * 1_048_576

export interface GivenSteps {
  /** The oldest step first. */
  readonly steps: readonly Step[]
  /** Equal for equal steps. */
  readonly digest: string
  readonly givenAt: EpochMillis
}

export interface StepStore {
  /** Replaces the steps of the group. */
  remember(groupId: GroupId, steps: readonly Step[]): void
  of(groupId: GroupId): GivenSteps | undefined
}

export function createStepStore(db: SystemDb, clock: Clock): StepStore {
  const given = db.prepare<[string], { digest: string; given_at: number }>(
    'select digest, given_at from given_steps where group_id = ?',
  )
  const note = db.prepare<[string, string, number]>(
    `insert into given_steps (group_id, digest, given_at) values (?, ?, ?)
     on conflict (group_id) do update set digest = excluded.digest, given_at = excluded.given_at`,
  )
  const forget = db.prepare<[string]>('delete from given_steps where group_id = ?')
  const erase = db.prepare<[string]>('delete from group_steps where group_id = ?')
  const insert = db.prepare<[string, string, string, string, string]>(
    'insert into group_steps (group_id, version, file, checksum, sql) values (?, ?, ?, ?, ?)',
  )
  const all = db.prepare<[string], { file: string; sql: string }>(
    'select file, sql from group_steps where group_id = ? order by version',
  )
  return {
    remember: (groupId, steps) => {
      const digest = digestOf(steps)
      // Skips the write, because `tenantry dev` and CI send the same steps many times.
      if (given.get(groupId)?.digest === digest) return
      db.transaction(() => {
        erase.run(groupId)
        forget.run(groupId)
        const length = steps.reduce((sum, { sql }) => sum + sql.length, 0)
        if (length > MAX_REMEMBERED_CHARACTERS) return
        note.run(groupId, digest, clock.now())
        for (const { checksum, file, sql, version } of steps)
          insert.run(groupId, version, file, checksum, sql)
      })
    },
    of: (groupId) => {
      const noted = given.get(groupId)
      if (noted === undefined) return undefined
      const { steps } = toSteps(all.all(groupId))
      return { steps, digest: noted.digest, givenAt: epochMillis(noted.given_at) }
    },
  }
}

function digestOf(steps: readonly Step[]): string {
  return steps.map(({ checksum, file }) => `${checksum} ${file}`).join('\n')
}
