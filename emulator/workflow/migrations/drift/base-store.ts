// Remembers the SQL of a fixture that built a part of a template's structure besides its steps. A template and its clones should
// have the structure that this SQL and their steps build (expected-structures.ts).
import type { ProjectId } from '../../../core/names.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'

/** Appended to the migrations of `fleet/step-store.ts`. */
export const CREATE_BASES = `
    create table template_bases (
      source_id text not null references projects (id) on delete cascade,
      number integer not null,
      version text not null,
      after text not null,
      sql text not null,
      primary key (source_id, number)
    ) strict, without rowid;
    `

/** SQL of a fixture that ran in a template. */
export interface BasePart {
  /**
   * Slug of the first version that contains the effects of the SQL. This is the source itself, or a version published after the
   * SQL ran.
   */
  readonly version: string
  /** Version of the newest step that ran before the SQL; empty when no step did. */
  readonly after: string
  readonly sql: string
}

export interface BaseStore {
  /** Replaces the SQL of one version. The SQL of a new version is added at the end. */
  remember(sourceId: ProjectId, version: string, parts: readonly Omit<BasePart, 'version'>[]): void
  /** Returns the parts in the order in which their SQL ran. */
  of(sourceId: ProjectId): readonly BasePart[]
}

export function createBaseStore(db: SystemDb): BaseStore {
  const all = db.prepare<[string], BasePart>(
    'select version, after, sql from template_bases where source_id = ? order by number',
  )
  const erase = db.prepare<[string]>('delete from template_bases where source_id = ?')
  const insert = db.prepare<[string, number, string, string, string]>(
    'insert into template_bases (source_id, number, version, after, sql) values (?, ?, ?, ?, ?)',
  )
  return {
    of: (sourceId) => all.all(sourceId),
    remember: (sourceId, version, parts) => {
      const byVersion = Map.groupBy(all.all(sourceId), (part) => part.version)
      byVersion.set(
        version,
        parts.map((part) => ({ ...part, version })),
      )
      db.transaction(() => {
        erase.run(sourceId)
        for (const [number, part] of [...byVersion.values()].flat().entries())
          insert.run(sourceId, number, part.version, part.after, part.sql)
      })
    },
  }
}
