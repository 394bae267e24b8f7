import { describe, expect, it } from 'vitest'
import { renderEnvironment } from '../../../emulator/cli/commands/env/render-environment.ts'

describe('renderEnvironment', () => {
  it('quotes values of a .env file only where a shell needs it', () => {
    expect(renderEnvironment({ A: 'http://x/?a=1&b', B: 'two words $HOME' }, 'dotenv')).toBe(
      "A='http://x/?a=1&b'\nB='two words $HOME'\n",
    )
  })

  it('escapes quotes for a shell', () => {
    expect(renderEnvironment({ A: "it's" }, 'shell')).toBe("export A='it'\\''s'\n")
  })

  it('refuses a value that a .env file cannot represent', () => {
    expect(() => renderEnvironment({ A: "it's here" }, 'dotenv')).toThrow('single quote')
    expect(() => renderEnvironment({ A: 'two\nlines' }, 'github')).toThrow('several lines')
  })
})
