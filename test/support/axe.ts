// Runs the accessibility checker on a page, and returns its findings as readable lines.
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'

/** The minified checker, which has half the size of the package's `source`. Each page must load it. */
const SOURCE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/**
 * The only rule that is not checked. The rule allows focus only on controls. But the rule `scrollable-region-focusable` requires
 * focus on scrollable texts, and ARIA's pattern "window splitter" requires it on separators.
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
  // Loads the checker over the debugging protocol, because the page's Content Security Policy blocks foreign scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const part = (await within?.elementHandle()) ?? null
  const { violations } = await page.evaluate(
    ([unchecked, runOnly, element]) => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe }
      const isOn = (rule: string) => runOnly?.includes(rule) ?? rule !== unchecked
      return checker.run(element ?? document, {
        resultTypes: ['violations'],
        // Preloading would read every style sheet again, only for rules about frames and orientation.
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
