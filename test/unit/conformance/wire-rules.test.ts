// The table of checks contains exactly the rules of docs/wire.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RULES } from '../../../emulator/workflow/conformance/rules/rules.ts'

const ANCHORS = readdirSync('docs/wire').flatMap((page) =>
  [...readFileSync(`docs/wire/${page}`, 'utf8').matchAll(/<a id="([^"]+)">/g)].map(
    ([, anchor]) => `${page}#${anchor}`,
  ),
)
const ENTRIES = Object.entries(RULES).flatMap(([page, rules]) =>
  Object.entries(rules).map(([anchor, rule]) => ({ name: `${page}.md#${anchor}`, rule })),
)

describe('the rules of docs/wire', () => {
  it('have a check, or a reason why no check is possible', () => {
    expect(ANCHORS.length).toBeGreaterThan(100)
    expect(ENTRIES.map(({ name }) => name).sort()).toEqual(ANCHORS.sort())
  })

  it('have checks with unique titles', () => {
    for (const { name, rule } of ENTRIES) {
      const titles = 'reason' in rule ? [] : rule.checks.map(({ title }) => title)
      expect(new Set(titles).size, name).toBe(titles.length)
    }
  })

  it('state reasons as sentences', () => {
    const reasons = ENTRIES.flatMap(({ rule }) => ('reason' in rule ? rule.reason : rule.unchecked))
    for (const reason of reasons) if (reason !== undefined) expect(reason).toMatch(/^[A-Za-z].*\.$/)
  })

  it('are all checked, except three named rules', () => {
    const reasons = ENTRIES.filter(({ rule }) => 'reason' in rule)
    expect(reasons.map(({ name }) => name)).toEqual([
      'auth.md#client-events',
      'limits.md#waiting',
      'limits.md#disk',
    ])
  })
})
