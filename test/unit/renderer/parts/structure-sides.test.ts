// Both sides of a structural difference as readable text.
import { describe, expect, it } from 'vitest'
import { sidesOf } from '../../../../renderer/parts/structure-sides.ts'

describe('sidesOf', () => {
  it('leaves definitions unchanged', () => {
    expect(sidesOf('PRIMARY KEY (id)', null)).toEqual({
      here: 'PRIMARY KEY (id)',
      there: undefined,
    })
  })

  it('writes each member of an object on its own line', () => {
    expect(sidesOf(null, '{"command":"all","roles":["anon","service_role"]}').there).toBe(
      'command: all\nroles: anon, service_role',
    )
  })

  it('writes lists with one object per line, without false members', () => {
    expect(
      sidesOf('{"entries":[{"grantable":false,"grantee":"anon","privileges":["SELECT"]}]}', null)
        .here,
    ).toBe('entries: \n  grantee anon · privileges SELECT')
  })

  it('shows only the differences of two objects', () => {
    expect(sidesOf('{"a":1,"b":true}', '{"a":1,"c":"x"}')).toEqual({
      here: 'b: yes\nc: –',
      there: 'b: –\nc: x',
    })
  })

  it('treats broken JSON as text', () => {
    expect(sidesOf('{oops', null).here).toBe('{oops')
  })
})
