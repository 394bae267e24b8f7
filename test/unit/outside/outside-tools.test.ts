// How `npm run outside` evaluates its runs, and its stored results, from which the table of docs/reference/platforms.md is made.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ToolResult, withToolTable } from '../../../scripts/outside-table.ts'
import { mergeResults, outcomeOf } from '../../outside/tools/outcome.ts'
import { OUTSIDE_TOOLS } from '../../outside/tools/tools.ts'

const result = (name: string, rest: Partial<ToolResult> = {}): ToolResult => ({
  name,
  version: '1.0',
  does: 'reads | writes',
  setting: 'none',
  outcomes: { embedded: 'works' },
  ...rest,
})

describe('the outcome of a tool’s run', () => {
  const refusal = /permission denied/

  it('is the last line of the output when the tool fails', () => {
    expect(outcomeOf({}, 'long trace\nError: no such table\n')).toBe('fails: Error: no such table')
  })

  it('is a refusal when the tool prints the expected words', () => {
    expect(outcomeOf({ refusal }, 'x\npermission denied for database')).toBe('refused')
    expect(outcomeOf({ refusal }, 'network is down')).toBe('fails: network is down')
  })

  it('is a failure when an expected refusal no longer occurs', () => {
    expect(outcomeOf({ refusal })).toBe('fails: it is no longer refused')
    expect(outcomeOf({})).toBe('works')
  })
})

describe('the record of tool results', () => {
  it('keeps the results of tools and engines that did not run', () => {
    const merged = mergeResults(
      ['b', 'a', 'c'],
      [result('a'), result('b', { outcomes: { server: 'works' } })],
      [result('b')],
    )
    expect(merged).toEqual([
      result('b', { outcomes: { server: 'works', embedded: 'works' } }),
      result('a'),
    ])
  })

  it('drops outcomes of another version of the tool', () => {
    const former = [result('a', { version: '0.9', outcomes: { server: 'works' } })]
    expect(mergeResults(['a'], former, [result('a')])).toEqual([result('a')])
  })

  it('contains every tool with the texts of the tool’s definition', () => {
    const record: ToolResult[] = JSON.parse(readFileSync('test/outside/tools/results.json', 'utf8'))
    const textsOf = ({ name, does, setting }: Omit<ToolResult, 'version' | 'outcomes'>) => ({
      name,
      does,
      setting,
    })
    expect(record.map(textsOf)).toEqual(OUTSIDE_TOOLS.map(textsOf))
  })
})

describe('the table of tools', () => {
  const place =
    'before\n<!-- table of tools: `npm run docs` writes it -->\nold\n<!-- end of the table -->\nafter\n'

  it('is replaced between two comments of the page', () => {
    const page = withToolTable(place, [result('a')])
    expect(page).toBe(`before
<!-- table of tools: \`npm run docs\` writes it -->

| tool | version | what it did | setting | embedded | server |
|---|---|---|---|---|---|
| a | 1.0 | reads \\| writes | none | works | not run |

<!-- end of the table -->
after
`)
    expect(withToolTable(page, [result('a')])).toBe(page)
  })

  it('cannot be written when the page lacks the two comments', () => {
    expect(() => withToolTable('no marks', [])).toThrow('lacks')
  })
})
