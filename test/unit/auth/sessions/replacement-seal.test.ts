import { describe, expect, it } from 'vitest'
import { SeededIdSource } from '../../../../emulator/core/id-source.ts'
import {
  openReplacement,
  sealReplacement,
} from '../../../../emulator/services/auth/sessions/create-sessions.ts'

const ids = new SeededIdSource('seal')

describe('a sealed replacement', () => {
  it('is opened by the token that sealed it', () => {
    const sealed = sealReplacement('spent', 'fresh', ids)
    expect(openReplacement('spent', sealed)).toBe('fresh')
  })

  it('is opened by no other token', () => {
    expect(openReplacement('Spent', sealReplacement('spent', 'fresh', ids))).toBeUndefined()
  })

  it('does not contain the plain text', () => {
    const sealed = Buffer.from(sealReplacement('spent', 'fresh', ids), 'base64url')
    expect(sealed.includes('fresh')).toBe(false)
  })

  it.each(['', 'short', 'x'.repeat(80)])('cannot be opened when its text is %j', (sealed) => {
    expect(openReplacement('spent', sealed)).toBeUndefined()
  })
})
