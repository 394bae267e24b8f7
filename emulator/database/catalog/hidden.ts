// Names that functions and types of a schema share with objects of Postgres's own catalogue. Without the schema, such a name
// means Postgres's object, because `pg_catalog` is searched first.
import { sql } from '../sql.ts'
import type { Queries } from './records.ts'

export interface HiddenRecord {
  /** The name, without quotes. */
  readonly key: string
}

export const HIDDEN_QUERIES: Queries = {
  hidden: ({ namespace, platform }) => sql`
select p.proname as key
from pg_proc as p
where p.pronamespace = ${namespace} and p.proowner <> ${platform}
  and exists (
    select from pg_proc as own
    where own.proname = p.proname and own.pronamespace = 'pg_catalog'::regnamespace)
union
select t.typname
from pg_type as t
where t.typnamespace = ${namespace} and t.typowner <> ${platform}
  and exists (
    select from pg_type as own
    where own.typname = t.typname and own.typnamespace = 'pg_catalog'::regnamespace)`,
}
