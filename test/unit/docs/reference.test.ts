// The generated pages of docs/reference say what the code says.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { referencePages, toolsPage } from '../../../scripts/build-reference.ts'

describe.each(Object.entries(referencePages()))('docs/reference/%s', (name, text) => {
  it('is up to date; `npm run docs` writes it', () => {
    expect(readFileSync(`docs/reference/${name}`, 'utf8')).toBe(text)
  })
})

describe('docs/guide/psql-and-types.md', () => {
  it('has the table of tools that were run; `npm run docs` writes it', () => {
    expect(readFileSync('docs/guide/psql-and-types.md', 'utf8')).toBe(toolsPage())
  })
})
