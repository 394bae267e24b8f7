// The types that a type is made of: elements of arrays, bases of domains, fields of composites.
import { type Sql, verbatim } from '../sql.ts'

/** The recursive term of a query `types (oid)`, whose first term selects the oids to begin with. */
export const PART_TYPES: Sql = verbatim(`select part.oid
  from types
  join pg_type as type on type.oid = types.oid
  cross join lateral (
    select type.typelem where type.typsubscript = 'array_subscript_handler'::regproc
    union all
    select type.typbasetype where type.typtype = 'd'
    union all
    select atttypid from pg_attribute
    where type.typtype = 'c' and attrelid = type.typrelid and attnum > 0 and not attisdropped
  ) as part (oid)`)
