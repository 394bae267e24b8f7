// What the accessibility checker finds on a page, as lines for a person.
import { readFileSync } from 'node:fs'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Half of the size that the package's `source` has, which each page has to read. */
const SOURCE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

/**
 * Findings that keep people out: impact serious or critical, one line each.
 * @param rules the only rules to check
 */
export async function seriousFindings(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  // By the debugging protocol, because the page's own policy lets no foreign script in.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const { violations } = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ['violations'],
        // Reads every style sheet again, for rules about frames and orientation alone.
        preload: false,
        ...(runOnly !== undefined && { runOnly }),
      }),
    rules === undefined ? undefined : [...rules],
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    )
}
