// Every code block of the README and of docs/guide runs, in the order of its page, and prints what the page says.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { blocksOf, matches, runPage } from '../support/guide-page.ts'

const PAGES = ['README.md', ...readdirSync('docs/guide').map((name) => `docs/guide/${name}`)]

describe.each(PAGES)('%s', (page) => {
  it('has code blocks that run and print the output that the page shows', async () => {
    const blocks = blocksOf(readFileSync(page, 'utf8'))
    if (blocks.length === 0) return
    const { exitCode, lastLine, outputs, stderr } = await runPage(blocks)
    expect({ exitCode, lastLine, stderr: exitCode === 0 ? '' : stderr }).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
    for (const { line, printed, expected } of outputs)
      if (expected !== undefined)
        expect(
          matches(printed, expected) ? 'as shown' : printed,
          `${page}:${line} should print\n${expected}`,
        ).toBe('as shown')
  })
})
