// The generated pages and tables are up to date with the code.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generatedPages } from '../../../scripts/build-reference.ts'

describe.each(Object.entries(generatedPages()))('%s', (path, text) => {
  it('is up to date; `npm run docs` writes it', () => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
})
