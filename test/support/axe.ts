// What the accessibility checker finds on a page, as lines for a person.
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'

/** Half of the size that the package's `source` has, which each page has to read. */
const SOURCE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/**
 * The one rule that is not checked. It lets only controls take the focus. The rule `scrollable-region-focusable` wants texts that
 * scroll to take it, and ARIA's pattern "window splitter" wants it of separators that resize parts.
 */
const UNCHECKED = 'focus-order-semantics'

/** The rules that depend on the theme. */
export const CONTRAST = ['color-contrast', 'color-contrast-enhanced'] as const

/**
 * Findings of all rules, experimental ones included, one line each.
 * @param only the only rules to check
 * @param within the only part of the page to check. Rules about whole pages find nothing then.
 */
export async function accessibilityFindings(
  page: Page,
  only?: readonly string[],
  within?: Locator,
): Promise<readonly string[]> {
  // By the debugging protocol, because the page's own policy lets no foreign script in.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const part = (await within?.elementHandle()) ?? null
  const { violations } = await page.evaluate(
    ([unchecked, runOnly, element]) => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe }
      const isOn = (rule: string) => runOnly?.includes(rule) ?? rule !== unchecked
      return checker.run(element ?? document, {
        resultTypes: ['violations'],
        // Reads every style sheet again, for rules about frames and orientation alone.
        preload: false,
        rules: Object.fromEntries(
          checker.getRules().map(({ ruleId }) => [ruleId, { enabled: isOn(ruleId) }]),
        ),
      })
    },
    [UNCHECKED, only, part] as const,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
