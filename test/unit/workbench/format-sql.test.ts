// Formats the statements of requests with lines and indents. Only white space changes.
import { beforeAll, describe, expect, it } from 'vitest'
import { loadSqlParser, type SqlParser } from '../../../emulator/database/sql-parser.ts'
import { formatSql } from '../../../emulator/insight/workbench/sql/format-sql.ts'

let parser: SqlParser
beforeAll(async () => {
  parser = await loadSqlParser()
})

const STATEMENTS = [
  'with s as (select "t"."id", "t"."from" from "t" where "t"."a" = $1 and "t"."b" is distinct from $2 limit $3 offset $4) select count(_t) as n, coalesce(json_agg(_t), \'[]\') as body from (select * from s) _t',
  'select a from t left join lateral (select left(b, 2) from u where u.x between $1 and $2) as v on true order by a desc, b',
  'select \'from where\' as "and" from t where a in ($1, $2) or b = any($3)',
]

describe('a formatted statement', () => {
  it.each(STATEMENTS)('has the same tokens as the original: %s', (text) => {
    const words = (one: string) => parser.tokens(one).map((token) => token.text)
    expect(words(formatSql(parser, text))).toEqual(words(text))
  })

  it('has a line for each clause, condition and column, indented by subquery', () => {
    expect(formatSql(parser, STATEMENTS[0] ?? '')).toBe(`with s as (
  select "t"."id",
    "t"."from"
  from "t"
  where "t"."a" = $1
    and "t"."b" is distinct from $2
  limit $3 offset $4
)
select count(_t) as n,
  coalesce(json_agg(_t), '[]') as body
from (
  select *
  from s
) _t`)
    expect(formatSql(parser, STATEMENTS[1] ?? '')).toBe(`select a
from t
left join lateral (
  select left(b, 2)
  from u
  where u.x between $1 and $2
) as v on true
order by a desc, b`)
  })

  it('is unchanged when the SQL cannot be split into tokens', () => {
    expect(formatSql(parser, "select 'open")).toBe("select 'open")
  })
})
