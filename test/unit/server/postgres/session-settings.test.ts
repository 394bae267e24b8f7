import { describe, expect, it } from 'vitest'
import { sessionSettings } from '../../../../emulator/server/postgres/session-settings.ts'

const read = (parameters: Record<string, string>) =>
  sessionSettings(new Map(Object.entries(parameters)))

describe('sessionSettings', () => {
  it('are the parameters that name settings', () => {
    expect(
      read({ user: 'u', database: 'd', application_name: 'psql', '_pq_.x': '1', DateStyle: 'ISO' }),
    ).toEqual({ application_name: 'psql', DateStyle: 'ISO' })
  })

  it.each([
    ['-c a.b=1 -cwork_mem=1MB', { 'a.b': '1', work_mem: '1MB' }],
    ['--search-path=x,y', { search_path: 'x,y' }],
    ['-c application_name=two\\ words', { application_name: 'two words' }],
    ['', {}],
  ])('read options %s', (options, expected) => {
    expect(read({ options })).toEqual(expected)
  })

  it.each(['-d', '-c', '-c nothing', 'x'])('refuse options %s', (options) => {
    expect(() => read({ options })).toThrow(/invalid command-line argument/)
  })

  it.each(['UTF8', 'utf-8', "'utf-8'", 'UNICODE'])('accept %s as UTF8', (encoding) => {
    expect(read({ client_encoding: encoding })).toEqual({ client_encoding: 'UTF8' })
  })

  it('refuse replication', () => {
    expect(() => read({ replication: 'database' })).toThrow(/replication/)
    expect(read({ replication: 'false' })).toEqual({})
  })
})
