// A case of this target, and those that failed once.
import type { SchemaPair } from '../../support/schema-pairs/schema-pair.ts'

/** The seed of a generated pair, or a pair that was reduced. */
export type SchemaDiffCase = number | Pick<SchemaPair, 'before' | 'after'>

export const SCHEMA_DIFF_EXAMPLES: Readonly<Record<string, Exclude<SchemaDiffCase, number>>> = {
  'a generated column of a partitioned table changes its type and its expression': {
    before:
      'create table notes (id integer, a numeric, b integer, c numeric generated always as (a + 1) stored) partition by range (id); create table notes_p1 partition of notes for values from (0) to (9);',
    after:
      'create table notes (id integer, a numeric, b integer, c integer generated always as (b + 1) stored) partition by range (id); create table notes_p1 partition of notes for values from (0) to (9);',
  },
}
