// What end-user authentication keeps in the platform's own database; users themselves live in their tenant's schema.
import type { MigrationSet } from '../database/system-db/system-schema.ts'

export const AUTH_MIGRATIONS: MigrationSet = {
  layer: 'auth',
  steps: [
    `
    create table departed_users (
      schema_name text not null,
      user_id text not null,
      banned_until integer,
      primary key (schema_name, user_id)
    ) strict, without rowid;
    `,
  ],
}
