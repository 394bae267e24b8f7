import { describe, expect, it } from 'vitest'
import { risksOf } from '../../../../../renderer/features/sql/risky-statements.ts'

const sentences = (sql: string) => risksOf(sql).map(({ sentence }) => sentence)

describe('risksOf', () => {
  it.each([
    ['drop table patients', 'Drops the table patients.'],
    ['DROP TABLE IF EXISTS proj_a.patients', 'Drops the table proj_a.patients.'],
    ['drop policy "own rows" on patients', 'Drops the policy "own rows".'],
    ['truncate patients', 'Deletes every row of patients.'],
    ['truncate table only patients', 'Deletes every row of patients.'],
    [
      'alter table patients drop column name',
      'Drops the column name of the table patients with its data.',
    ],
    [
      'alter table only proj_a.patients drop if exists "Name" cascade',
      'Drops the column "Name" of the table proj_a.patients with its data.',
    ],
    [
      'alter table patients drop constraint patients_pkey, alter column name drop not null',
      'Drops the constraint patients_pkey of the table patients. Drops the NOT NULL constraint of a column of the table patients.',
    ],
    [
      'alter table patients alter column name drop default',
      'Drops the default of a column of the table patients.',
    ],
    ['delete from patients', 'Deletes every row of patients.'],
    ['update patients set name = null', 'Changes every row of patients.'],
    ['with old as (select 1) delete from patients', 'Deletes every row of patients.'],
  ])('finds the risk of %s', (sql, sentence) => {
    expect(sentences(sql)).toEqual([sentence])
  })

  it.each([
    'select * from patients',
    'delete from patients where id = 1',
    'update patients set name = null where id = 1',
    'alter table patients add column age int',
    "select 'drop table patients'",
    '-- drop table patients\nselect 1',
    '',
  ])('finds no risk in %j', (sql) => {
    expect(risksOf(sql)).toEqual([])
  })

  it('names the risks of a script in their order, and shortens long statements', () => {
    const long = `delete from patients returning ${'name, '.repeat(60)}id`
    const risks = risksOf(`select 1; ${long}; drop table notes;`)
    expect(risks.map(({ sentence }) => sentence)).toEqual([
      'Deletes every row of patients.',
      'Drops the table notes.',
    ])
    expect(risks[0]?.sql).toHaveLength(161)
  })
})
