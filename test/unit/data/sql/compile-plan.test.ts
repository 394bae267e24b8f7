import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { DataError } from '../../../../emulator/services/data/errors.ts'
import { planRequest } from '../../../../emulator/services/data/plan/plan-request.ts'
import { parseRequest } from '../../../../emulator/services/data/request/parse-request.ts'
import { parsePreferences } from '../../../../emulator/services/data/request/preferences.ts'
import { tenantSettings } from '../../../../emulator/services/data/settings.ts'
import { compilePlan } from '../../../../emulator/services/data/sql/compile-plan.ts'
import { compileMutate } from '../../../../emulator/services/data/sql/mutate.ts'
import { compileRead } from '../../../../emulator/services/data/sql/read.ts'
import { clinicCache } from './clinic-cache.ts'

const settings = tenantSettings(trusted.schemaName('proj_x'), 8_000)

function plan(method: string, target: string, body = '', prefer: string | null = null) {
  const url = new URL(target, 'http://h')
  const preferences = parsePreferences(prefer, {
    mayEndTransaction: true,
    isTimeZone: () => false,
  })
  const raw = {
    method,
    path: url.pathname,
    search: url.search,
    headers: new Headers(),
    body: new TextEncoder().encode(body),
  }
  const chosen = { schema: 'proj_x', isNegotiatedByProfile: false }
  const request = parseRequest({ ...raw, chosen, settings }, preferences)
  const planned = planRequest(clinicCache(), request, settings)
  if (!('read' in planned)) throw new Error('no rows')
  return { planned, preferences }
}

function readSql(target: string) {
  return compileRead(plan('GET', target).planned.read)
}

describe('reads', () => {
  it('qualify columns and pass values as parameters', () => {
    const { text, params } = readSql('/visits?select=id,n:note::text&note=eq.a&limit=2')
    expect(text).toBe(
      `select "proj_x"."visits"."id", cast("proj_x"."visits"."note" as text) as "n"
from "proj_x"."visits"
where "proj_x"."visits"."note" = $1
limit $2 offset $3`,
    )
    expect(params).toEqual(['a', '2', '0'])
  })

  it.each([
    ['double precision', 'double precision'],
    ['Größe_$1', 'Größe_$1'],
    ['$$', '"$$"'],
    ['int $1', '"int $1"'],
    ['1$$', '"1$$"'],
  ])('cast to %s', (type, written) => {
    expect(readSql(`/visits?select=id::${type}`).text).toContain(`as ${written})`)
  })

  it('join a to-one embed laterally as an object', () => {
    expect(readSql('/visits?select=id,clinics(name)').text).toBe(
      `select "proj_x"."visits"."id", row_to_json("visits_clinics_1".*)::jsonb as "clinics"
from "proj_x"."visits"
left join lateral (
select "clinics_1"."name"
from "proj_x"."clinics" as "clinics_1"
where "clinics_1"."id" = "proj_x"."visits"."clinic_id"
) as "visits_clinics_1" on true`,
    )
  })

  it('aggregate a to-many embed as an array, and drop rows with inner joins', () => {
    expect(readSql('/clinics?select=visits!inner(id)&visits.note=is.null').text).toBe(
      `select coalesce("clinics_visits_1"."clinics_visits_1", '[]') as "visits"
from "proj_x"."clinics"
inner join lateral (
select json_agg("clinics_visits_1")::jsonb as "clinics_visits_1"
from (
select "visits_1"."id"
from "proj_x"."visits" as "visits_1"
where "visits_1"."note" is null and "visits_1"."clinic_id" = "proj_x"."clinics"."id"
) as "clinics_visits_1"
) as "clinics_visits_1" on "clinics_visits_1" is not null`,
    )
  })

  it('have the same text for any values', () => {
    expect(readSql('/visits?id=eq.1&note=in.(a)').text).toBe(
      readSql('/visits?id=eq.9&note=in.(b,c,d)').text,
    )
  })

  it('pass many values of `in` as one array', () => {
    expect(readSql('/visits?note=in.(a,"b\\"c",)').params).toEqual(['{"a","b\\"c",""}'])
  })
})

describe('writes', () => {
  it('convert the rows of the body to the column types', () => {
    const { planned } = plan('POST', '/clinics', '[{"id":1,"name":"n"}]')
    if (planned.kind !== 'mutate') throw new Error('no write')
    const { text, params } = compileMutate(planned.mutate)
    expect(text).toBe(
      'insert into "proj_x"."clinics" ("id", "name") select "pgrst_body"."id", "pgrst_body"."name" from (select $1::json as json_data) pgrst_payload, lateral (select "id", "name" from json_to_recordset(pgrst_payload.json_data) as _("id" integer, "name" text)) pgrst_body  returning 1',
    )
    expect(params).toEqual(['[{"id":1,"name":"n"}]'])
  })

  it('do not apply the filter of an embed to a DELETE', () => {
    const { planned } = plan('DELETE', '/clinics?select=visits(id)&visits.id=eq.1&id=eq.2')
    if (planned.kind !== 'mutate') throw new Error('no write')
    expect(compileMutate(planned.mutate).text).toContain('where "proj_x"."clinics"."id" = $1')
  })
})

describe('any request', () => {
  const hostile = fc.oneof(
    fc.constantFrom("';--", '$1', '$$', '"', '\\', "E'", '/*', '\u0000x', 'ü', ')('),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const MARK = 'zqmark'
  const value = hostile.map((text) => `${MARK}${text}${MARK}`)
  const encoded = value.map((text) => encodeURIComponent(text.toWellFormed()))
  const quotedName = value.map((text) =>
    encodeURIComponent(`"${text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`),
  )
  const template = fc.constantFrom(
    (v: string, n: string) => `/visits?note=eq.${v}&select=${n}:id`,
    (v: string, n: string) => `/visits?${n}=in.(${v})&order=${n}`,
    (v: string, n: string) => `/visits?or=(note.like.${v},${n}.is.null)`,
    (_: string, n: string) => `/visits?select=note->${n}->>${n},${n}:clinics(${n})`,
    (v: string) => `/visits?note=fts(${v}).${v}`,
    (v: string) => `/visits?limit=${v}&offset=${v}&select=id::${v}`,
    (v: string, n: string) => `/visits?select=${n}.sum(),count()&note=isdistinct.${v}`,
  )

  // The only caller's text outside quotes is the name of a type, which consists of letters, digits and blanks.
  it('reaches SQL only as a parameter, a quoted name or a plain type name', () => {
    fc.assert(
      fc.property(template, encoded, quotedName, (make, v, n) => {
        let text = ''
        try {
          const { planned, preferences } = plan('GET', make(v, n))
          text = compilePlan(planned, preferences, settings).main.text
        } catch (error) {
          expect(error).toBeInstanceOf(DataError)
          return
        }
        const unquoted = text.replaceAll(/"(?:[^"]|"")*"/g, '""')
        expect(unquoted.replaceAll(/ as [\p{L}0-9_ $]+\)/gu, '')).not.toContain(MARK)
        expect(text).not.toContain('\u0000')
      }),
      { numRuns: 2_000 },
    )
  })
})
